/** The translation of metadata, which `withExtendedTypes` loads on first use: one file of the built package. */

export { restore, show } from "./zarrita/stores/translation.js";

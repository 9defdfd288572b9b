/** The store that `withExtendedTypes` loads on first use: one file of the built package. */

export { TranslatedStore } from "./zarrita/stores/extended-store.js";

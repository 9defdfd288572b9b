/** What `withExtendedTypes` loads to translate metadata: one file of the built package. */

export { restore, show } from "./zarrita/stores/translation.js";

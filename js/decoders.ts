/** The decoders of compressed chunks, which chains load when a chunk needs them: one file of the built package. */

export { loadDecoders } from "./decoders/decoders.js";

/** lz4, in a file of its own, which is loaded when an array has this codec. */

export { default as Lz4 } from "numcodecs/lz4";

/** blosc, in a file of its own, which is loaded when an array has this codec. */

export { default as Blosc } from "numcodecs/blosc";

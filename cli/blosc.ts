export { default as Blosc } from "numcodecs/blosc";

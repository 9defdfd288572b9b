export { default as Lz4 } from "numcodecs/lz4";

/**
 * Registers `bytes`, `endian`, `crc32c` and the checksum codecs of numcodecs, when imported, in the copy of zarrita that this
 * module resolves to. For another copy, or with options, use `register` of `zarr-codecs/zarrita`.
 *
 * @module
 */

// Not `{ registry }`: without zarrita, Vite builds a module that has no exports and throws an error that names the package.
import * as zarrita from "zarrita";
import { register } from "./zarrita.js";

register(zarrita.registry);

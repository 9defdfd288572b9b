// Compiled where the library has only ECMAScript.

import { type Crc32cDecoderStream, Crc32cEncoderStream, type initSync } from "zarr-codecs";
import { type Equal, expectTrue } from "./equal.js";

const encoder = new Crc32cEncoderStream();
expectTrue<Equal<typeof encoder.readable, unknown>>();
expectTrue<Equal<typeof encoder.writable, unknown>>();
expectTrue<Equal<Crc32cDecoderStream["readable"], unknown>>();
expectTrue<Equal<Parameters<typeof initSync>, [module: unknown]>>();

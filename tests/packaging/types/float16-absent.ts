// Compiled where the library has no Float16Array.

import { createCodecChain, type TypedArrayOf } from "zarr-codecs";
import { type Equal, expectTrue } from "./equal.js";

expectTrue<Equal<TypedArrayOf<"float16">, Float32Array | Uint16Array>>();

const chain = createCodecChain(
  { dataType: "float16", shape: [2], codecs: ["bytes"] },
  { missingEndian: "big" },
);
const { data } = chain.decode(new Uint8Array(4));
expectTrue<Equal<typeof data, Float32Array | Uint16Array>>();

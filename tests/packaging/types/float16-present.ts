// Compiled where the library has a Float16Array.

import { createCodecChain, type TypedArrayOf } from "zarr-codecs";
import { type Equal, expectTrue } from "./equal.js";

expectTrue<Equal<TypedArrayOf<"float16">, Float16Array | Float32Array | Uint16Array>>();

const chain = createCodecChain(
  { dataType: "float16", shape: [2], codecs: ["bytes"] },
  { missingEndian: "big" },
);
const data: Float16Array<ArrayBuffer> = chain.decode(new Uint8Array(4), { out: new Float16Array(2) }).data;
chain.encode(data);
const copied = chain.decode(new Uint8Array(4), { copy: true }).data;
expectTrue<
  Equal<typeof copied, Float16Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>>
>();

// Compiled, never run: the types of decoding and encoding.

import {
  type ArrayMetadata,
  type ChainMetadata,
  type Chunk,
  CodecChain,
  type CodecMetadata,
  createCodecChain,
  type DataType,
  decode,
  encode,
  type TypedArray,
  type TypedArrayOf,
} from "zarr-codecs";
import { type Equal, expectTrue } from "./equal.js";

declare const bytes: Uint8Array;
const codecs = [{ name: "bytes", configuration: { endian: "big" } }, "crc32c"];
const chainOf = <const D extends DataType>(dataType: D) =>
  createCodecChain({ dataType, shape: [2, 2], codecs });

// The array of each data type.
expectTrue<Equal<TypedArrayOf<"bool">, Uint8Array>>();
expectTrue<Equal<TypedArrayOf<"int8">, Int8Array>>();
expectTrue<Equal<TypedArrayOf<"int16">, Int16Array>>();
expectTrue<Equal<TypedArrayOf<"int32">, Int32Array>>();
expectTrue<Equal<TypedArrayOf<"int64">, BigInt64Array>>();
expectTrue<Equal<TypedArrayOf<"uint8">, Uint8Array>>();
expectTrue<Equal<TypedArrayOf<"uint16">, Uint16Array>>();
expectTrue<Equal<TypedArrayOf<"uint32">, Uint32Array>>();
expectTrue<Equal<TypedArrayOf<"uint64">, BigUint64Array>>();
expectTrue<Equal<TypedArrayOf<"float32">, Float32Array>>();
expectTrue<Equal<TypedArrayOf<"float64">, Float64Array>>();
expectTrue<Equal<TypedArrayOf<"complex64">, Float32Array>>();
expectTrue<Equal<TypedArrayOf<"complex128">, Float64Array>>();
expectTrue<Equal<TypedArrayOf<"r24">, Uint8Array>>();

expectTrue<Equal<TypedArrayOf<"int4">, Int8Array>>();
expectTrue<Equal<TypedArrayOf<"bfloat16">, Float32Array | Uint16Array>>();
expectTrue<Equal<TypedArrayOf<"complex_float8_e5m2">, Float32Array | Uint8Array>>();
expectTrue<Equal<TypedArrayOf<"numpy.datetime64">, BigInt64Array>>();
expectTrue<Equal<TypedArrayOf<"fixed_length_utf32">, Uint32Array>>();
expectTrue<Equal<TypedArrayOf<"struct">, Uint8Array>>();

// Records have fields, strings are strings, other chunks neither.
const records = createCodecChain({
  dataType: { name: "struct", configuration: { fields: [{ name: "x", data_type: "int8" }] } },
  shape: [2],
  codecs: ["bytes"],
}).decode(bytes);
const field: TypedArray = records.field("x");
void field;
const names: string[] = records.strings("x");
void names;
const text = createCodecChain({
  dataType: { name: "fixed_length_utf32", configuration: { length_bytes: 8 } },
  shape: [2],
  codecs,
});
const strings: string[] = text.decode(bytes).strings();
text.encode(strings);
text.encode({ data: ["a", "b"] });
// @ts-expect-error numbers have no strings
chainOf("uint32").decode(bytes).strings();
// @ts-expect-error nor are they written as strings
chainOf("uint32").encode(["a", "b", "c", "d"]);
createCodecChain({ dataType: "bfloat16", shape: [], codecs }, { smallFloats: "bits" });
// @ts-expect-error there is no such array
createCodecChain({ dataType: "bfloat16", shape: [], codecs }, { smallFloats: "float16" });

// The type of a chain includes its data type, in either notation.
const chain = createCodecChain({
  dataType: "float32",
  shape: [64, 64],
  codecs: [{ name: "bytes", configuration: { endian: "big" } }, { name: "crc32c" }],
});
expectTrue<Equal<typeof chain, CodecChain<"float32">>>();
expectTrue<Equal<ReturnType<typeof chainOf<"int64">>, CodecChain<"int64">>>();
const ofObject = createCodecChain({ dataType: { name: "uint16" }, shape: [], codecs }, { verify: false });
expectTrue<Equal<typeof ofObject.dataType, "uint16">>();
expectTrue<Equal<typeof chain.dataType, "float32">>();
expectTrue<Equal<typeof chain.shape, readonly number[]>>();
const normalised: readonly CodecMetadata[] = chain.codecs;
void normalised;
expectTrue<Equal<typeof chain.encodedByteLength, number | undefined>>();
expectTrue<Equal<typeof chain.decodedByteLength, number>>();

// So do its chunks.
const chunk = chain.decode(bytes);
expectTrue<Equal<typeof chunk.data, Float32Array>>();
expectTrue<Equal<typeof chunk.shape, number[]>>();
expectTrue<Equal<typeof chunk.stride, number[]>>();
const kept: Chunk<"float32"> = chunk;
expectTrue<Equal<(typeof kept)["data"], Float32Array>>();
const bigints = chainOf("int64").decode(bytes).data;
expectTrue<Equal<typeof bigints, BigInt64Array>>();
const raw = chainOf("r24").decode(bytes).data;
expectTrue<Equal<typeof raw, Uint8Array>>();
const single = decode(bytes, { dataType: "complex128", shape: [], codecs }, { verify: false });
expectTrue<Equal<typeof single.data, Float64Array>>();

// A copy is in an `ArrayBuffer`, which can be transferred to workers and passed to WebGL.
const copied = chain.decode(bytes, { copy: true });
expectTrue<Equal<typeof copied, Chunk<"float32", Float32Array<ArrayBuffer>>>>();
const copiedBools = decode(bytes, { dataType: "bool", shape: [], codecs }, { copy: true, verify: false });
expectTrue<Equal<typeof copiedBools.data, Uint8Array<ArrayBuffer>>>();
const copiedRaw: Uint8Array<ArrayBuffer> = chainOf("r24").decode(bytes, { copy: true }).data;
void copiedRaw;
const perhapsCopied = chain.decode(bytes, { copy: Math.random() < 0.5 });
expectTrue<Equal<typeof perhapsCopied.data, Float32Array>>();
const copiedInto = chain.decode(bytes, { copy: true, out: new Float32Array(new SharedArrayBuffer(4)) });
expectTrue<Equal<typeof copiedInto.data, Float32Array<SharedArrayBuffer>>>();

// All kinds of buffers are bytes.
chain.decode(new ArrayBuffer(4));
chain.decode(new SharedArrayBuffer(4));
chain.decode(new DataView(new ArrayBuffer(4)));
chain.decode(new Float64Array(4), { inPlace: true });

// `out` keeps its own type.
const out: Float32Array<ArrayBuffer> = chain.decode(bytes, {
  out: new Float32Array(new ArrayBuffer(4)),
}).data;
void out;

// What was decoded can be encoded, alone or as a chunk, into new bytes or old ones.
const encoded = chain.encode(chunk);
expectTrue<Equal<typeof encoded, Uint8Array<ArrayBuffer>>>();
chain.encode(new Float32Array(4));
chain.encode({ data: new Float32Array(4) });
chain.encode({ data: new Float32Array(4), shape: [2, 2] as const, stride: [2, 1] });
const written = chain.encode(chunk, { out: new Uint8Array(new SharedArrayBuffer(4)) });
expectTrue<Equal<typeof written, Uint8Array<SharedArrayBuffer>>>();
const other = encode(new Float32Array(4), { dataType: "float32", shape: [2, 2], codecs });
expectTrue<Equal<typeof other, Uint8Array<ArrayBuffer>>>();
chainOf("float16").encode(new Float32Array(4));
chainOf("float16").encode(new Uint16Array(4));
chainOf("uint8").encode(new Uint8ClampedArray(4));

// Metadata may be defined before its use; with `as const`, the data type is known.
const plain = {
  dataType: "float32",
  shape: [2],
  codecs: [{ name: "bytes", configuration: { endian: "big" } }, { name: "crc32c" }],
};
const constant = {
  dataType: "float32",
  shape: [2],
  codecs: [
    { name: "bytes", configuration: { endian: "big" } },
    { name: "crc32c", must_understand: true },
  ],
} as const;
const ofObjectType = { dataType: { name: "float32" }, shape: [2], codecs: ["bytes"] };
const ofPlain = createCodecChain(plain, { verify: false });
expectTrue<Equal<typeof ofPlain, CodecChain>>();
const ofConstant = createCodecChain(constant);
expectTrue<Equal<typeof ofConstant, CodecChain<"float32">>>();
expectTrue<Equal<(typeof ofPlain)["dataType"], DataType>>();
createCodecChain(ofObjectType).encode(new Float32Array(2));
const decodedPlain = decode(bytes, plain);
expectTrue<Equal<typeof decodedPlain.data, TypedArray>>();
const decodedConstant = decode(bytes, constant);
expectTrue<Equal<typeof decodedConstant.data, Float32Array>>();
const copiedConstant = decode(bytes, constant, { copy: true });
expectTrue<Equal<typeof copiedConstant.data, Float32Array<ArrayBuffer>>>();
const copiedPlain = decode(bytes, plain, { copy: true }).data;
const memory: ArrayBuffer = copiedPlain.buffer;
void memory;
decode(bytes, plain, { out: new Float32Array(2) });
encode(new Float32Array(2), plain);
encode(decodedPlain, plain);
encode(decodedConstant, constant);
encode(copiedConstant, constant, { out: new Uint8Array(12) });
const typed: ChainMetadata = { dataType: "int8", shape: [], codecs };
const ofTyped = createCodecChain(typed);
expectTrue<Equal<typeof ofTyped, CodecChain>>();

// Functions may be generic in the data type.
export function open<D extends DataType>(dataType: D): CodecChain<D> {
  const chain: CodecChain<D> = createCodecChain({ dataType, shape: [2], codecs });
  const data: TypedArrayOf<D> = decode(bytes, { dataType, shape: [2], codecs }).data;
  chain.encode({ data });
  encode({ data }, { dataType: { name: dataType }, shape: [2], codecs });
  return chain;
}

// So may the metadata of an array.
const arrayInPlain = {
  zarr_format: 3,
  node_type: "array",
  shape: [10],
  data_type: "float32",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
  fill_value: 0,
  codecs: [{ name: "bytes", configuration: { endian: "big" } }, { name: "crc32c" }],
};
const arrayInConstant = {
  data_type: "float32",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
  codecs: [{ name: "bytes", configuration: { endian: "big" } }, { name: "crc32c" }],
} as const;
const ofArrayInPlain = createCodecChain(arrayInPlain, { chunkShape: [2] });
expectTrue<Equal<typeof ofArrayInPlain, CodecChain>>();
const ofArrayInConstant = createCodecChain(arrayInConstant, { verify: "warn" });
expectTrue<Equal<typeof ofArrayInConstant, CodecChain<"float32">>>();

// An array's data type is known only at run time.
declare const array: ArrayMetadata;
const ofArray = createCodecChain(array, { missingEndian: "little", invalidBool: "coerce", float16: "bits" });
expectTrue<Equal<typeof ofArray, CodecChain>>();
const data = ofArray.decode(bytes).data;
expectTrue<Equal<typeof data, TypedArray>>();
expectTrue<Equal<ReturnType<typeof ofJson>, CodecChain>>();
const ofJson = () => createCodecChain(JSON.parse("{}"));

// Fields and strings are there after a check.
const unknown = ofArray.decode(bytes);
if ("field" in unknown) {
  const x: TypedArray = unknown.field("x");
  void x;
}
if ("strings" in unknown) {
  const all: string[] = unknown.strings();
  void all;
}
// @ts-expect-error: the chunk may be one of numbers
unknown.field("x");
if (ofArray.dataType === "float64") ofArray.shape.map((length) => length + 1);

// Options may be given as undefined.
createCodecChain({ dataType: "int8", shape: [], codecs }, { verify: undefined, float16: undefined });
chain.decode(bytes, undefined);
chain.decode(bytes, { copy: undefined, verify: undefined });

// Mistakes.

// @ts-expect-error: no such data type
createCodecChain({ dataType: "float128", shape: [], codecs });
// @ts-expect-error: no such data type
createCodecChain({ dataType: { name: "float128" }, shape: [], codecs });
// @ts-expect-error: no such data type
decode(bytes, { dataType: "float128", shape: [], codecs });
// @ts-expect-error: no such data type, as a constant
createCodecChain({ dataType: "float128", shape: [], codecs } as const);
// @ts-expect-error: an array of another type
encode(new Float64Array(2), constant);
// @ts-expect-error: names are case-sensitive
createCodecChain({ dataType: "Float32", shape: [], codecs });
// @ts-expect-error: no codecs
createCodecChain({ dataType: "int8", shape: [] });
// @ts-expect-error: no shape
createCodecChain({ dataType: "int8", codecs });
// @ts-expect-error: an unknown member
createCodecChain({ dataType: "int8", shape: [], codecs, order: "C" });
// @ts-expect-error: a shape of strings
createCodecChain({ dataType: "int8", shape: ["2"], codecs });
// @ts-expect-error: a codec without a name
createCodecChain({ dataType: "int8", shape: [], codecs: [{ configuration: {} }] });
// @ts-expect-error: must_understand is not a string
createCodecChain({ dataType: "int8", shape: [], codecs: [{ name: "bytes", must_understand: "yes" }] });
// @ts-expect-error: a misspelt option
createCodecChain({ dataType: "int8", shape: [], codecs }, { verfy: false });
// @ts-expect-error: an invalid value
createCodecChain({ dataType: "int8", shape: [], codecs }, { missingEndian: "middle" });
// @ts-expect-error: an invalid value
createCodecChain({ dataType: "int8", shape: [], codecs }, { invalidBool: true });
// @ts-expect-error: the shape is that of a chunk
createCodecChain({ dataType: "int8", shape: [], codecs }, { chunkShape: [2] });
// @ts-expect-error: no such value
createCodecChain(array, { verify: "never" });
// @ts-expect-error: an option of chunks
createCodecChain({ dataType: "int8", shape: [], codecs }, { copy: true });
// @ts-expect-error: an option of chains
chain.decode(bytes, { missingEndian: "little" });
// @ts-expect-error: an array of another type
chain.decode(bytes, { out: new Float64Array(4) });
// @ts-expect-error: an array of another type, though it is copied
chain.decode(bytes, { copy: true, out: new Float64Array(4) });
// @ts-expect-error: not bytes
chain.decode("bytes");
// @ts-expect-error: not bytes
chain.decode([1, 2, 3]);
// @ts-expect-error: an array of another type
chain.encode(new Float64Array(4));
// @ts-expect-error: an array of another type
chain.encode({ data: new Int32Array(4) });
// @ts-expect-error: a list of numbers
chain.encode([1, 2, 3]);
// @ts-expect-error: not a Uint8Array
chain.encode(chunk, { out: new Float32Array(4) });
// @ts-expect-error: verify is for decoding
chain.encode(chunk, { verify: true });
// @ts-expect-error: read-only
chain.dataType = "float32";
// @ts-expect-error: read-only
chain.shape.push(1);
// @ts-expect-error: not the metadata of an array
createCodecChain({ codecs: [] });
// @ts-expect-error: a number has no bytes
ofArray.decode(5);
// @ts-expect-error: bigints are not numbers
const numbers: Int32Array = bigints;
// @ts-expect-error: cannot be constructed
new CodecChain();
void numbers;

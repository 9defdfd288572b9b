// Compiled, never run: the types of chains with codecs of others.

import {
  type ArrayMetadata,
  AsyncCodecChain,
  type ChainMetadata,
  type Chunk,
  type CodecRegistry,
  type DataType,
  type ExternalCodec,
  type ExternalCodecClass,
  type LoadOptions,
  loadCodecChain,
  openShard,
  type RangeQuery,
  type Shard,
  type TypedArray,
  type TypedArrayOf,
} from "zarr-codecs";
import { type Equal, expectTrue } from "./equal.js";

declare const bytes: Uint8Array;
const codecs = [{ name: "bytes", configuration: { endian: "big" } }, "zstd", "crc32c"];

// The type of a chain includes its data type, and so do those of its chunks.
const chain = await loadCodecChain({ dataType: "float32", shape: [64, 64], codecs, fillValue: 0 });
expectTrue<Equal<typeof chain, AsyncCodecChain<"float32">>>();
expectTrue<Equal<typeof chain.encodedByteLength, number | undefined>>();
expectTrue<Equal<typeof chain.decodedByteLength, number | undefined>>();
const chunk = await chain.decode(bytes);
expectTrue<Equal<typeof chunk, Chunk<"float32">>>();
expectTrue<Equal<typeof chunk.data, Float32Array>>();
const copied = await chain.decode(bytes, { copy: true });
expectTrue<Equal<typeof copied.data, Float32Array<ArrayBuffer>>>();
const encoded = await chain.encode(chunk);
expectTrue<Equal<typeof encoded, Uint8Array<ArrayBuffer>>>();
const ofObject = await loadCodecChain({ dataType: { name: "int64" }, shape: [], codecs }, { verify: false });
expectTrue<Equal<typeof ofObject, AsyncCodecChain<"int64">>>();
const ofConstant = await loadCodecChain({ dataType: "bool", shape: [1], codecs: ["bytes"] } as const);
expectTrue<Equal<typeof ofConstant, AsyncCodecChain<"bool">>>();

// So does that of a shard, which is opened from bytes or by ranges.
const shard = await openShard(chain, bytes);
expectTrue<Equal<typeof shard, Shard<"float32">>>();
const inner = await shard.decode([0, 0], { verify: false });
expectTrue<Equal<typeof inner, Chunk<"float32"> | undefined>>();
expectTrue<
  Equal<ReturnType<typeof shard.range>, { readonly offset: number; readonly length: number } | undefined>
>();
await openShard(chain, (range: RangeQuery) => ("offset" in range ? bytes : undefined), { maxGap: 0 });
await openShard(chain, async () => bytes);
// @ts-expect-error: a function that returns no bytes
await openShard(chain, () => "bytes");
// @ts-expect-error: an unknown option
await openShard(chain, bytes, { gap: 1 });

// Functions may be generic in the data type.
export async function load<D extends DataType>(dataType: D): Promise<TypedArrayOf<D>> {
  const chain: AsyncCodecChain<D> = await loadCodecChain({ dataType, shape: [2], codecs });
  return (await chain.decode(bytes)).data;
}

// The data type of an array is known only at run time, and so is one that only a codec of others knows.
declare const array: ArrayMetadata;
const ofArray = await loadCodecChain(array, { chunkShape: [2, 3], strided: true });
expectTrue<Equal<typeof ofArray, AsyncCodecChain>>();
const { data } = await ofArray.decode(bytes);
expectTrue<Equal<typeof data, TypedArray>>();
const plain = { dataType: "float32", shape: [2], codecs };
expectTrue<Equal<Awaited<ReturnType<typeof loadPlain>>, AsyncCodecChain>>();
const loadPlain = () => loadCodecChain(plain);
const metadata: ChainMetadata<string> = { dataType: "string", shape: [2], codecs: ["vlen-utf8"] };
loadCodecChain(metadata);
loadCodecChain(JSON.parse("{}"));

// Codecs are synchronous or not, and loaded at once or later.
class Codec {
  static fromConfig({ level }: { level: number }): Codec {
    return new Codec(level);
  }
  constructor(readonly level: number) {}
  encode(bytes: Uint8Array): Uint8Array {
    return bytes;
  }
  async decode(bytes: Uint8Array): Promise<Uint8Array> {
    return bytes;
  }
}
const codecClass: ExternalCodecClass = Codec;
const codec: ExternalCodec = Codec.fromConfig({ level: 1 });
void codec;
const registry: CodecRegistry = new Map([["mine", () => codecClass]]);
const options: LoadOptions = { codecs: registry, missingEndian: "little" };
loadCodecChain(plain, options);
loadCodecChain(plain, { codecs: new Map([["mine", async () => Codec]]) });
loadCodecChain(plain, { codecs: { get: (name) => (name === "mine" ? () => Codec : undefined) } });

// Mistakes.

// @ts-expect-error: no codecs
loadCodecChain({ dataType: "int8", shape: [] });
// @ts-expect-error: a shape of strings
loadCodecChain({ dataType: "int8", shape: ["2"], codecs });
// @ts-expect-error: a class instead of a function that returns it
loadCodecChain(plain, { codecs: new Map([["mine", Codec]]) });
// @ts-expect-error: an object of functions
loadCodecChain(plain, { codecs: { mine: () => Codec } });
// @ts-expect-error: a misspelt option
loadCodecChain(plain, { codec: registry });
// @ts-expect-error: a promise has no chunk
chain.decode(bytes).data;
// @ts-expect-error: an array of another type
chain.encode(new Float64Array(4));
// @ts-expect-error: cannot be constructed
new AsyncCodecChain();

/** Shards that are read in part. */

import type { AsyncCodecChain } from "../chain/async-codec-chain.js";
import type { Chunk, CodecChain } from "../chain/codec-chain.js";
import { createCodecChain } from "../chain/create.js";
import type { ResolvedCodec } from "../chain/resolved.js";
import { type ChainShard, shardOf } from "../chain/shard/chain-shard.js";
import { verifying } from "../crc32c/mismatch.js";
import { type ByteRange, InvalidArgumentError, locate } from "../errors.js";
import { expectCoordinates, expectOut } from "../expect.js";
import { typedArrayName } from "../intrinsics.js";
import { type Allowed, DECODE_OPTIONS, type DecodeOptions, readOptions } from "../options.js";
import { countOf } from "../stride.js";
import {
  type Bytes,
  bytesOf,
  type DataType,
  type TypedArray,
  type TypedArrayName,
  type TypedArrayOf,
  viewAs,
} from "../typed-array.js";
import { expectSignal } from "./abort.js";
import { inOrderOf, transposed } from "./division.js";
import { COALESCE_OPTIONS, type CoalesceOptions, expectPresent } from "./range-reader.js";
import { type FileSource, type RangeSource, type ReadOptions, viewRange } from "./ranges.js";
import { confirmed } from "./read-again.js";
import { type MaybeIndex, ShardFile } from "./shard-file.js";

/** Options of opening a shard. */
export interface ShardOptions extends CoalesceOptions, ReadOptions {}

/** Options of decoding an inner chunk of a shard. */
export interface ShardDecodeOptions<A = unknown> extends DecodeOptions<A>, ReadOptions {}

const SHARD_OPTIONS: Allowed<ShardOptions> = { ...COALESCE_OPTIONS, signal: undefined };
const SHARD_DECODE_OPTIONS: Allowed<ShardDecodeOptions> = { ...DECODE_OPTIONS, signal: undefined };

/** Restricts the constructor to this package. */
const OPENED = Symbol("opened");

/** What a shard is read with. */
interface Opened {
  readonly shard: ChainShard;
  readonly transposes: Transposes;
  /** Opens the file. */
  readonly open: () => ShardFile;
  /** The place of the shard in the file, if its length is known. */
  readonly within: ByteRange | undefined;
  file: ShardFile;
  index: MaybeIndex;
}

/**
 * A shard whose index has been read and validated, so that its inner chunks can be read one by one. Opened by
 * {@link openShard}.
 */
export class Shard<D extends DataType = DataType> {
  readonly #opened: Opened;

  /** The shape of an inner chunk, in elements. */
  readonly chunkShape: readonly number[];
  /** The number of inner chunks in each dimension. */
  readonly gridShape: readonly number[];

  /** Use {@link openShard}. */
  constructor(openedHere: typeof OPENED, opened: Opened) {
    if (openedHere !== OPENED) {
      const message = "Shard cannot be constructed: use openShard";
      throw new InvalidArgumentError(message, { argument: "Shard" });
    }
    const { shard, transposes } = opened;
    this.#opened = opened;
    this.chunkShape = Object.freeze(transposes.undo(shard.layout.chunkShape));
    this.gridShape = Object.freeze(transposes.undo(shard.layout.gridShape));
  }

  /**
   * Returns whether the shard contains an inner chunk; one that is missing is all fill value.
   *
   * @throws InvalidArgumentError (not the coordinates of an inner chunk)
   */
  has(coordinates: readonly number[]): boolean {
    return this.range(coordinates) !== undefined;
  }

  /**
   * Returns the bytes of an inner chunk in the shard; undefined if it is missing.
   *
   * @throws InvalidArgumentError (not the coordinates of an inner chunk)
   */
  range(coordinates: readonly number[]): ByteRange | undefined {
    const chunk = expectCoordinates(coordinates, this.gridShape, "inner chunks");
    const { index, transposes } = this.#opened;
    return index?.range(transposes.apply(chunk));
  }

  /**
   * Reads and decodes an inner chunk with one request, which concurrent calls share for inner chunks that are close to each
   * other.
   *
   * @returns undefined if the inner chunk is missing
   * @throws InvalidArgumentError, the errors of {@link AsyncCodecChain.decode}, with `chunk` and `range`, and what the
   * source throws
   */
  async decode<A extends TypedArrayOf<D> = TypedArrayOf<D>>(
    coordinates: readonly number[],
    options?: ShardDecodeOptions<A>,
  ): Promise<Chunk<D, A> | undefined> {
    const read = readOptions(options, SHARD_DECODE_OPTIONS as Allowed<ShardDecodeOptions<A>>);
    const { signal, ...others } = read;
    expectSignal(signal);
    const chunk = expectCoordinates(coordinates, this.gridShape, "inner chunks");
    let used: ShardFile | undefined;
    const readWith = async (verify: boolean) => {
      if (used) await this.#reopen(used, { signal }, verify);
      used = this.#opened.file;
      const range = this.range(chunk);
      if (range === undefined) return undefined;
      try {
        const bytes = expectPresent(await this.#opened.file.read(range, { signal }), range);
        return (await this.#decode(bytes, { ...others, verify })) as Chunk<D, A>;
      } catch (error) {
        throw locate(error, { chunk, range });
      }
    };
    const { verify = this.#opened.shard.options.verify ?? true } = others;
    return verifying(verify, (verify) => confirmed(() => readWith(verify)));
  }

  async #decode(bytes: Uint8Array, options: DecodeOptions): Promise<Chunk> {
    const { shard, transposes } = this.#opened;
    const chain = shard.chain as AsyncCodecChain;
    if (transposes.count === 0) return chain.decode(bytes, options as DecodeOptions<TypedArray>);
    const { out, copy, inPlace, verify, strided = shard.options.strided } = options;
    const stored = await chain.decode(bytes, { verify, strided: false });
    return transposes.decode(stored, this.chunkShape, { out, copy, inPlace, strided });
  }

  /** Reads the index again: an inner chunk is wrong, perhaps because the shard has been rewritten. */
  async #reopen(used: ShardFile, options: ReadOptions, verify: boolean): Promise<void> {
    const opened = this.#opened;
    if (opened.file === used) opened.file = opened.open();
    const { file } = opened;
    const index = await file.index(opened.shard.layout, opened.within, options, verify);
    if (opened.file === file) opened.index = index;
  }
}

/**
 * Opens a shard, to read single inner chunks of it: reads its index with one request and validates it.
 *
 * @param chain a chain of `sharding_indexed`, alone or after `transpose`
 * @param source the shard, or a function that reads ranges of it: `length` bytes at `offset`, or the last `suffixLength` bytes. It
 * returns undefined if there is no such shard; all inner chunks are then missing
 * @throws InvalidArgumentError (a chain of other codecs), ChunkLengthError, ChecksumMismatchError, InvalidElementError (an entry
 * of the index), and what the source throws
 * @example
 * ```ts
 * import { createCodecChain, openShard } from "zarr-codecs";
 *
 * const index_codecs = [{ name: "bytes", configuration: { endian: "little" } }, { name: "crc32c" }];
 * const configuration = { chunk_shape: [2], codecs: ["bytes", "crc32c"], index_codecs };
 * const codecs = [{ name: "sharding_indexed", configuration }];
 * const chain = createCodecChain({ dataType: "uint8", shape: [4], codecs, fillValue: 0 });
 *
 * const shard = await openShard(chain, chain.encode(Uint8Array.of(1, 2, 0, 0)));
 * shard.gridShape; // => [2]
 * shard.range([0]); // => { offset: 0, length: 6 }
 * (await shard.decode([0]))?.data; // => Uint8Array.of(1, 2)
 * await shard.decode([1]); // => undefined
 * ```
 */
export async function openShard<D extends DataType>(
  chain: CodecChain<D> | AsyncCodecChain<D>,
  source: Bytes | RangeSource,
  options?: ShardOptions,
): Promise<Shard<D>> {
  const { signal, ...limits } = readOptions(options, SHARD_OPTIONS);
  expectSignal(signal);
  const shard = expectShard(chain);
  const bytes = typeof source === "function" ? undefined : bytesOf(source, "source");
  const open = bytes
    ? () => new ShardFile(fileOf(bytes), { maxRequestLength: 0 }) // Views, which need not be joined.
    : () => new ShardFile({ read: source as RangeSource, byteLength: () => undefined }, limits);
  const file = open();
  const within = bytes && { offset: 0, length: bytes.byteLength };
  const index = await verifying(shard.options.verify ?? true, (verify) =>
    file.index(shard.layout, within, { signal }, verify),
  );
  return new Shard(OPENED, { shard, transposes: new Transposes(chain), open, within, file, index });
}

const fileOf = (bytes: Uint8Array): FileSource => ({
  read: (range) => viewRange(bytes, range),
  byteLength: () => bytes.byteLength,
});

/** Returns the codec `sharding_indexed` of a chain. @throws InvalidArgumentError (ranges of a shard cannot be read) */
function expectShard(chain: CodecChain | AsyncCodecChain): ChainShard {
  const shard = shardOf(chain);
  const names = chain.codecs.map(({ name }) => name);
  if (shard?.isOutermost && names.slice(0, -1).every((name) => name === "transpose")) return shard;
  const message = `openShard needs sharding_indexed, alone or after transpose, got ${names.join(", ")}: decode the shard as a whole`;
  throw new InvalidArgumentError(message, { argument: "openShard" });
}

/** The transposes before the codec `sharding_indexed`, which are transposes of inner chunks too. */
class Transposes {
  readonly #codecs: readonly ResolvedCodec[];
  /** For each dimension of the shard, that of the array. */
  readonly #axes: readonly number[];
  /** The transposes alone: all inner chunks are decoded to the same array. */
  #chain: CodecChain | undefined;

  constructor({ codecs, shape }: CodecChain | AsyncCodecChain) {
    this.#codecs = codecs.slice(0, -1);
    this.#axes = this.#codecs.reduce(transposed, { axes: [...shape.keys()], shape }).axes;
  }

  get count(): number {
    return this.#codecs.length;
  }

  /** Returns coordinates or lengths in the order of the shard's dimensions. */
  apply(numbers: readonly number[]): number[] {
    return this.#axes.map((axis) => numbers[axis] as number);
  }

  /** Returns coordinates or lengths in the order of the array's dimensions. */
  undo(numbers: readonly number[]): number[] {
    return inOrderOf(this.#axes, numbers);
  }

  /** Moves the elements of an inner chunk from the order that the shard stores to that of the array. */
  decode(stored: Chunk, shape: readonly number[], options: DecodeOptions): Chunk {
    const name = typedArrayName(stored.data) as TypedArrayName;
    const elements = bytesOf(stored.data, "decoded");
    const { byteLength } = elements;
    const { out } = options;
    const target =
      out === undefined
        ? undefined
        : bytesOf(expectOut(out, name, byteLength, stored.data, "the encoded bytes"), "out");
    this.#chain ??= this.#createChain(byteLength, shape);
    const { data, stride } = this.#chain.decode(elements, { ...options, out: target });
    const array = out ?? viewAs(name, data as Uint8Array, byteLength);
    // The chunk itself, because those of records and strings have methods.
    return Object.assign(stored, { data: array as TypedArray, shape: [...shape], stride });
  }

  /** Returns a chain that moves elements of whatever data type, as raw bits. */
  #createChain(byteLength: number, shape: readonly number[]): CodecChain {
    const dataType = `r${(8 * byteLength) / countOf(shape)}` as const;
    return createCodecChain({ dataType, shape, codecs: [...this.#codecs, "bytes"] });
  }
}

/**
 * Decodes and encodes whole shards.
 *
 * Decoded inner chunks stand one after another here, each in C order. The array codec then moves their elements to their
 * places in the array, as it does with those of a transposed chunk.
 */

import { type Awaitable, isPromise, then } from "../../awaitable.js";
import { report, type Verify, verifying } from "../../crc32c/mismatch.js";
import { type ByteRange, locate } from "../../errors.js";
import { copiedTo } from "../../expect.js";
import type { DecodeOptions, EncodeOptions } from "../../options.js";
import { allocate, bytesOf, type TypedArray, viewAs } from "../../typed-array.js";
import { decodeInto } from "../../wasm/chunks.js";
import { instance } from "../../wasm/instance.js";
import type { ArrayCodec } from "../array-codec.js";
import type { ChunkParts } from "../chunk.js";
import { defaultForm } from "../decode.js";
import type { ArrayStep, ShardStep } from "../resolved.js";
import type { ArrayStage } from "../stage.js";
import { coordinatesOf, type ShardIndex } from "./shard-index.js";
import type { ShardLayout } from "./shard-layout.js";

/** How many inner chunks are decoded or encoded at once, if some codecs are external. */
const CONCURRENT = 8;

/** The codecs of inner chunks. */
export interface InnerCodecs {
  readonly isAsync: boolean;
  decodeInner(shard: ShardStep, encoded: Uint8Array, verify: Verify): Awaitable<TypedArray>;
  encodeInner(shard: ShardStep, decoded: Uint8Array): Awaitable<Uint8Array>;
}

/** What shards consist of. */
interface ShardParts {
  readonly layout: ShardLayout;
  readonly chunks: InnerCodecs;
  /** Whether a shard is the whole encoded chunk. */
  readonly isOutermost: boolean;
}

/** The place of an inner chunk. */
interface InnerPlace {
  /** Its index in C order. */
  readonly index: number;
  /** Its bytes in the shard, if it is decoded. */
  readonly range?: ByteRange;
}

/** An inner chunk that a shard has. */
interface StoredChunk extends InnerPlace {
  readonly range: ByteRange;
  readonly encoded: Uint8Array;
  /** Where its elements go. */
  readonly part: Uint8Array;
}

/** The codec `sharding_indexed` of a chain, and the array codec that arranges inner chunks. */
export class ShardCodec implements ArrayStage {
  readonly #step: ShardStep;
  readonly #layout: ShardLayout;
  readonly #chunks: InnerCodecs;
  readonly #array: ArrayCodec;
  readonly #isOutermost: boolean;
  readonly #fillValue: Uint8Array;
  /** The elements of a missing inner chunk. */
  #missing: Uint8Array | undefined;

  constructor(step: ShardStep, { layout, chunks, isOutermost }: ShardParts, array: ArrayCodec) {
    this.#step = step;
    this.#layout = layout;
    this.#chunks = chunks;
    this.#array = array;
    this.#isOutermost = isOutermost;
    this.#fillValue = Uint8Array.from(step.fillValue);
  }

  decode(encoded: unknown, verify: Verify, options: DecodeOptions): Awaitable<ChunkParts<TypedArray>> {
    const shard = bytesOf(encoded, "encoded");
    const { slab } = this.#step;
    const isNew = options.out === undefined && !options.inPlace;
    if (isNew && slab && !this.#chunks.isAsync) {
      return this.#array.describe(this.#decodeSlabs(shard, verify, slab));
    }
    return then(this.#decodeAll(shard, verify), (chunks) => this.#array.decode(chunks, verify, options));
  }

  check(encoded: unknown): Awaitable<unknown> {
    return this.#decodeAll(encoded as Uint8Array, true);
  }

  decodeInner(outer: ShardStep, encoded: unknown, verify: Verify): Awaitable<TypedArray> {
    const chunks = this.#decodeAll(encoded as Uint8Array, verify);
    return then(chunks, (chunks) => this.#array.decodeInner(outer, chunks, verify));
  }

  encode(chunk: unknown, { out }: EncodeOptions): Awaitable<Uint8Array> {
    return then(this.#encodeAll(this.#array.encode(chunk)), (shard) => copiedTo(out, shard));
  }

  encodeInner(outer: ShardStep, decoded: Uint8Array): Awaitable<Uint8Array> {
    return this.#encodeAll(this.#array.encodeInner(outer, decoded));
  }

  /** Decodes a shard to the elements of its inner chunks. */
  #decodeAll(shard: Uint8Array, verify: Verify): Awaitable<Uint8Array> {
    const decoded = this.#allocate(this.#layout.chunkCount);
    const index = this.#readIndex(shard, verify);
    return then(this.#decodeChunks(shard, index, decoded, 0, verify), () => decoded);
  }

  /**
   * Decodes a shard to its array, slab by slab, so that the inner chunks need little memory, which stays in the cache. For
   * codecs that are not asynchronous.
   */
  #decodeSlabs(shard: Uint8Array, verify: Verify, slab: ArrayStep): TypedArray {
    const { payloadByteLength } = slab;
    const form = defaultForm(slab);
    const perSlab = this.#countIn(payloadByteLength);
    const index = this.#readIndex(shard, verify);
    const chunks = this.#allocate(perSlab);
    const count = this.#layout.chunkCount / perSlab;
    const array = allocate(form.array, count * form.byteLength);
    const bytes = bytesOf(array, "decoded");
    for (let i = 0; i < count; i++) {
      this.#decodeChunks(shard, index, chunks, i * perSlab, verify);
      const part = viewAs(form.array, bytes.subarray(i * form.byteLength), form.byteLength) as TypedArray;
      decodeInto(chunks, payloadByteLength, part, form, 0);
    }
    return array;
  }

  /** Decodes the inner chunks from the index `first` that fit into `decoded`. */
  #decodeChunks(
    shard: Uint8Array,
    index: ShardIndex,
    decoded: Uint8Array,
    first: number,
    verify: Verify,
  ): Awaitable<void> {
    const stored = this.#stored(shard, index, decoded, first);
    return forEachOf(stored, (chunk) => this.#decodeChunk(chunk, verify));
  }

  /** Without closures, which would take a tenth of the time of a small inner chunk. */
  #decodeChunk(chunk: StoredChunk, verify: Verify): Awaitable<void> {
    try {
      const verifyHere = typeof verify === "boolean" ? verify : this.#reporting(chunk, verify);
      const elements = this.#chunks.decodeInner(this.#step, chunk.encoded, verifyHere);
      if (!isPromise(elements)) return chunk.part.set(bytesOf(elements, "decoded"));
      return elements.then(
        (elements) => chunk.part.set(bytesOf(elements, "decoded")),
        (error) => this.#throwAt(chunk, error),
      );
    } catch (error) {
      return this.#throwAt(chunk, error);
    }
  }

  /** Encodes the elements of inner chunks as a shard. If their length is fixed, each is written to its place at once. */
  #encodeAll(decoded: Uint8Array): Awaitable<Uint8Array> {
    const parts = [...this.#parts(decoded)];
    const { encodedChunkByteLength: length } = this.#layout;
    const encodeAll = (use: (encoded: Uint8Array, index: number) => void) =>
      forEachOf(parts.entries(), ([index, part]) => {
        return (
          part &&
          this.#locating({ index }, () => {
            return then(this.#chunks.encodeInner(this.#step, part), (encoded) => use(encoded, index));
          })
        );
      });
    if (length !== undefined) {
      const { shard, offsets } = this.#createShard(parts.map((part) => part && length));
      return then(
        encodeAll((encoded, index) => shard.set(encoded, offsets[index])),
        () => shard,
      );
    }
    const chunks: (Uint8Array | undefined)[] = parts.map(() => undefined);
    const encoding = encodeAll((encoded, index) => {
      chunks[index] = encoded;
    });
    return then(encoding, () => {
      const { shard, offsets } = this.#createShard(chunks.map((chunk) => chunk?.byteLength));
      for (const [index, chunk] of chunks.entries()) if (chunk) shard.set(chunk, offsets[index]);
      return shard;
    });
  }

  /** Creates a shard with its index. @param lengths those of all inner chunks, undefined if they are missing */
  #createShard(lengths: readonly (number | undefined)[]): { shard: Uint8Array; offsets: number[] } {
    const index = this.#layout.encodeIndex(lengths);
    const isAtStart = this.#layout.indexLocation === "start";
    let end = isAtStart ? index.byteLength : 0;
    const offsets = lengths.map((length = 0) => {
      end += length;
      return end - length;
    });
    const byteLength = isAtStart ? end : end + index.byteLength;
    const shard = allocate("Uint8Array", byteLength, "encoded") as Uint8Array;
    shard.set(index, isAtStart ? 0 : end);
    return { shard, offsets };
  }

  #readIndex(shard: Uint8Array, verify: Verify): ShardIndex {
    const range = this.#layout.indexRange(shard.byteLength);
    const index = shard.subarray(range.offset, range.offset + range.length);
    return verifying(verify, (verify) => {
      try {
        return this.#layout.readIndex(index, shard.byteLength, verify);
      } catch (error) {
        throw locate(error, { part: "shard index", range: this.#rangeInFile(range) });
      }
    });
  }

  /** Returns a range for errors, which name bytes of files: a shard that other codecs encoded once more is none. */
  #rangeInFile(range: ByteRange | undefined): ByteRange | undefined {
    return this.#isOutermost ? range : undefined;
  }

  /** Allocates room for decoded inner chunks. */
  #allocate(count: number): Uint8Array {
    return allocate("Uint8Array", count * this.#step.chunkByteLength) as Uint8Array;
  }

  /** Fills in the missing inner chunks of those from the index `first` that fit into `decoded`; returns the others. */
  *#stored(shard: Uint8Array, index: ShardIndex, decoded: Uint8Array, first: number): Generator<StoredChunk> {
    const end = first + this.#countIn(decoded.byteLength);
    for (let i = first; i < end; i++) {
      const range = index.rangeAt(i);
      const part = this.#part(decoded, i - first);
      if (range === undefined) {
        this.#missing ??= repeated(this.#fillValue, this.#step.chunkByteLength);
        part.set(this.#missing);
      } else {
        yield { index: i, range, encoded: shard.subarray(range.offset, range.offset + range.length), part };
      }
    }
  }

  /** Returns the elements of each inner chunk: undefined if they are all the fill value, bit for bit. */
  *#parts(decoded: Uint8Array): Generator<Uint8Array | undefined> {
    for (let i = 0; i < this.#layout.chunkCount; i++) {
      const part = this.#part(decoded, i);
      yield instance.call("isFilled", part, this.#fillValue) ? undefined : part;
    }
  }

  #part(decoded: Uint8Array, index: number): Uint8Array {
    const { chunkByteLength } = this.#step;
    return decoded.subarray(index * chunkByteLength, (index + 1) * chunkByteLength);
  }

  /** Returns how many decoded inner chunks these bytes are. */
  #countIn(byteLength: number): number {
    return byteLength / this.#step.chunkByteLength;
  }

  /** Adds the place of an inner chunk to errors about it. */
  #locating<T>(place: InnerPlace, run: () => Awaitable<T>): Awaitable<T> {
    try {
      const result = run();
      return isPromise(result) ? result.catch((error) => this.#throwAt(place, error)) : result;
    } catch (error) {
      return this.#throwAt(place, error);
    }
  }

  #throwAt(place: InnerPlace, error: unknown): never {
    throw this.#located(place, error);
  }

  #located<E>({ index, range }: InnerPlace, error: E): E {
    const chunk = coordinatesOf(index, this.#layout.gridShape);
    return locate(error, { chunk, range: this.#rangeInFile(range) });
  }

  /** Returns the option `verify` for an inner chunk: reports name its place. */
  #reporting(place: InnerPlace, verify: Verify): Verify {
    return (error) => report(this.#located(place, error), verify);
  }
}

/** Returns bytes that repeat an element. */
function repeated(element: Uint8Array, byteLength: number): Uint8Array {
  const bytes = new Uint8Array(byteLength);
  bytes.set(element);
  for (let length = element.byteLength; length < byteLength; length *= 2) bytes.copyWithin(length, 0, length);
  return bytes;
}

/**
 * Calls a function for each item: one after another or, if it returns promises, a few at once. No item is begun after the
 * first error.
 */
function forEachOf<T>(items: Iterator<T>, call: (item: T) => Awaitable<void>): Awaitable<void> {
  const run = (): Awaitable<void> => {
    for (let next = items.next(); !next.done; next = items.next()) {
      const called = call(next.value);
      if (isPromise(called)) return called.then(run);
    }
  };
  const first = run();
  if (!isPromise(first)) return;
  const workers = Array.from({ length: CONCURRENT - 1 }, async () => run());
  return Promise.all([first, ...workers]).then(
    () => undefined,
    (error) => {
      items.return?.();
      throw error;
    },
  );
}

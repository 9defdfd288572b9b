/**
 * Decodes and encodes whole shards.
 *
 * Decoded inner chunks stand one after another here, each in C order. The step after this one moves their elements to their
 * places in the array, as it does with those of a transposed chunk.
 */

import { type ByteRange, locate } from "../../errors.js";
import { allocate, bytesOf, type TypedArray, viewAs } from "../../typed-array.js";
import { instance } from "../../wasm/instance.js";
import { decodeInto } from "../../wasm/window.js";
import { defaultForm } from "../decode.js";
import type { OwnCodecs } from "../own-codecs.js";
import type { ShardStep } from "../resolved.js";
import type { InnerStages } from "./inner-stages.js";
import { coordinatesOf, type ShardIndex } from "./shard-index.js";
import type { ShardLayout } from "./shard-layout.js";

/** How many inner chunks are decoded or encoded at once, where some codecs are of others. */
const CONCURRENT = 8;

/** What decoding and encoding have in common, whether or not the codecs of inner chunks are asynchronous. */
class Shards {
  protected readonly step: ShardStep;
  protected readonly layout: ShardLayout;
  readonly #fillValue: Uint8Array;
  /** The elements of a missing inner chunk. */
  #missing: Uint8Array | undefined;

  constructor(step: ShardStep, layout: ShardLayout) {
    this.step = step;
    this.layout = layout;
    this.#fillValue = Uint8Array.from(step.fillValue);
  }

  /** Reads the index of a shard. */
  protected readIndex(shard: Uint8Array, verify: boolean): ShardIndex {
    const { offset, length } = this.layout.indexRange(shard.byteLength);
    return this.layout.readIndex(shard.subarray(offset, offset + length), shard.byteLength, verify);
  }

  /** Allocates room for decoded inner chunks. */
  protected allocate(count: number): Uint8Array {
    return allocate("Uint8Array", count * this.step.chunkByteLength) as Uint8Array;
  }

  /** Fills in the missing inner chunks of those from the index `first` that fit into `decoded`; returns the others. */
  protected *stored(
    shard: Uint8Array,
    index: ShardIndex,
    decoded: Uint8Array,
    first: number,
  ): Generator<StoredChunk> {
    const end = first + this.chunksIn(decoded.byteLength);
    for (let i = first; i < end; i++) {
      const range = index.rangeAt(i);
      const part = this.#part(decoded, i - first);
      if (range === undefined) {
        this.#missing ??= repeated(this.#fillValue, this.step.chunkByteLength);
        part.set(this.#missing);
      } else {
        yield { index: i, range, encoded: shard.subarray(range.offset, range.offset + range.length), part };
      }
    }
  }

  /** Returns the elements of each inner chunk: undefined where they are all the fill value, bit for bit. */
  protected *parts(decoded: Uint8Array): Generator<Uint8Array | undefined> {
    for (let i = 0; i < this.layout.chunkCount; i++) {
      const part = this.#part(decoded, i);
      yield instance.call("isFilled", part, this.#fillValue) ? undefined : part;
    }
  }

  /**
   * Joins encoded inner chunks with their index.
   *
   * @param lengths the lengths of all inner chunks, undefined where they are missing
   * @param chunks the others
   */
  protected join(lengths: readonly (number | undefined)[], chunks: Iterable<Uint8Array>): Uint8Array {
    const index = this.layout.encodeIndex(lengths);
    const byteLength = lengths.reduce<number>((sum, length = 0) => sum + length, index.byteLength);
    const shard = allocate("Uint8Array", byteLength, "encoded") as Uint8Array;
    const isAtStart = this.layout.indexLocation === "start";
    let end = isAtStart ? index.byteLength : 0;
    for (const chunk of chunks) {
      shard.set(chunk, end);
      end += chunk.byteLength;
    }
    shard.set(index, isAtStart ? 0 : end);
    return shard;
  }

  /** Adds the place of an inner chunk to an error about it. */
  protected locate(error: unknown, { index, range }: { index: number; range?: ByteRange }): unknown {
    return locate(error, { chunk: coordinatesOf(index, this.layout.gridShape), range });
  }

  /** Returns how many decoded inner chunks these bytes are. */
  protected chunksIn(byteLength: number): number {
    return byteLength / this.step.chunkByteLength;
  }

  #part(decoded: Uint8Array, index: number): Uint8Array {
    return decoded.subarray(index * this.step.chunkByteLength, (index + 1) * this.step.chunkByteLength);
  }
}

/** An inner chunk of a shard that is decoded. */
interface StoredChunk {
  /** Its index in C order. */
  readonly index: number;
  /** Its bytes in the shard. */
  readonly range: ByteRange;
  readonly encoded: Uint8Array;
  /** Where its elements go. */
  readonly part: Uint8Array;
}

/** The codec `sharding_indexed` of a chain without codecs of others. */
export class ShardCodec extends Shards {
  /** The codecs of inner chunks. */
  readonly #chunks: OwnCodecs;

  constructor(step: ShardStep, layout: ShardLayout, chunks: OwnCodecs) {
    super(step, layout);
    this.#chunks = chunks;
  }

  /** Decodes a shard to the elements of its inner chunks. */
  decode(shard: Uint8Array, verify: boolean): Uint8Array {
    const decoded = this.allocate(this.layout.chunkCount);
    this.#decodeChunks(shard, this.readIndex(shard, verify), decoded, 0, verify);
    return decoded;
  }

  /**
   * Decodes a shard to its array, slab by slab, so that the inner chunks need little memory, which stays in the cache.
   *
   * @returns undefined where slabs are not smaller than the array
   */
  decodeArray(shard: Uint8Array, verify: boolean): TypedArray | undefined {
    const { slab } = this.step;
    if (slab === undefined) return undefined;
    const { payloadByteLength } = slab;
    const form = defaultForm(slab);
    const perSlab = this.chunksIn(payloadByteLength);
    const index = this.readIndex(shard, verify);
    const chunks = this.allocate(perSlab);
    const count = this.layout.chunkCount / perSlab;
    const array = allocate(form.array, count * form.byteLength);
    const bytes = bytesOf(array, "decoded");
    for (let i = 0; i < count; i++) {
      this.#decodeChunks(shard, index, chunks, i * perSlab, verify);
      const part = viewAs(form.array, bytes.subarray(i * form.byteLength), form.byteLength) as TypedArray;
      decodeInto(chunks, payloadByteLength, part, form, 0);
    }
    return array;
  }

  #decodeChunks(
    shard: Uint8Array,
    index: ShardIndex,
    decoded: Uint8Array,
    first: number,
    verify: boolean,
  ): void {
    for (const chunk of this.stored(shard, index, decoded, first)) {
      try {
        chunk.part.set(bytesOf(this.#chunks.decodeTo(this.step.form, chunk.encoded, verify), "decoded"));
      } catch (error) {
        throw this.locate(error, chunk);
      }
    }
  }

  /** Encodes the elements of inner chunks as a shard. Where their length is fixed, each is written to its place at once. */
  encode(decoded: Uint8Array): Uint8Array {
    const parts = [...this.parts(decoded)];
    const encoding = this.#encodeChunks(parts);
    const { encodedChunkByteLength } = this.layout;
    if (encodedChunkByteLength !== undefined) {
      return this.join(
        parts.map((part) => part && encodedChunkByteLength),
        encoding,
      );
    }
    const chunks = [...encoding];
    let count = 0;
    return this.join(
      parts.map((part) => part && chunks[count++]?.byteLength),
      chunks,
    );
  }

  *#encodeChunks(parts: readonly (Uint8Array | undefined)[]): Generator<Uint8Array> {
    for (const [index, part] of parts.entries()) {
      if (part === undefined) continue;
      try {
        yield this.#chunks.encodeFrom(this.step.form, part);
      } catch (error) {
        throw this.locate(error, { index });
      }
    }
  }
}

/** The codec `sharding_indexed` of a chain with codecs of others. */
export class AsyncShardCodec extends Shards {
  readonly #chunks: InnerStages;

  constructor(step: ShardStep, layout: ShardLayout, chunks: InnerStages) {
    super(step, layout);
    this.#chunks = chunks;
  }

  /** Decodes a shard to the elements of its inner chunks. */
  async decode(shard: Uint8Array, verify: boolean): Promise<Uint8Array> {
    const decoded = this.allocate(this.layout.chunkCount);
    const index = this.readIndex(shard, verify);
    await forEachOf(this.stored(shard, index, decoded, 0), async (chunk) => {
      try {
        chunk.part.set(bytesOf(await this.#chunks.decode(chunk.encoded, verify), "decoded"));
      } catch (error) {
        throw this.locate(error, chunk);
      }
    });
    return decoded;
  }

  /** Encodes the elements of inner chunks as a shard. */
  async encode(decoded: Uint8Array): Promise<Uint8Array> {
    const chunks: (Uint8Array | undefined)[] = [];
    await forEachOf(this.parts(decoded), async (part, index) => {
      try {
        chunks[index] = part && (await this.#chunks.encode(part));
      } catch (error) {
        throw this.locate(error, { index });
      }
    });
    return this.join(
      Array.from(chunks, (chunk) => chunk?.byteLength),
      chunks.filter((chunk) => chunk !== undefined),
    );
  }
}

/** Returns bytes that repeat an element. */
function repeated(element: Uint8Array, byteLength: number): Uint8Array {
  const bytes = new Uint8Array(byteLength);
  bytes.set(element);
  for (let length = element.byteLength; length < byteLength; length *= 2) bytes.copyWithin(length, 0, length);
  return bytes;
}

/** Calls an asynchronous function for each item, a few at once. The first error ends the generator. */
async function forEachOf<T>(
  items: Generator<T>,
  call: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let count = 0;
  const worker = async () => {
    for (const item of items) await call(item, count++);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
}

/** What all stored values of one shape have in common: how they are divided, and the codecs of their chunks. */

import { type Awaitable, then } from "../awaitable.js";
import type { AsyncCodecChain } from "../chain/async-codec-chain.js";
import type { Chunk } from "../chain/codec-chain.js";
import type { Codecs } from "../chain/codecs.js";
import { type LoadOptions, loadCodecChain } from "../chain/load.js";
import { codecsOf } from "../chain/resolved-chain.js";
import type { Verify } from "../crc32c/mismatch.js";
import { InvalidMetadataError } from "../errors.js";
import type { ChainMetadata, CodecMetadata } from "../metadata.js";
import { NO_OPTIONS } from "../options.js";
import { type Division, divide, inOrderOf } from "../shard/division.js";
import { bytesOf } from "../typed-array.js";
import { type ChunkCheck, loadChunkCheck } from "./chunk-check.js";
import { hasChecksum, isKnownType } from "./codec-names.js";
import { filledChunk } from "./fill.js";
import type { ArrayLayout } from "./layout.js";
import { isUnderstood, loadPartial } from "./partial-chain.js";

/** The number of shapes for which forms are kept. */
const MOST_SHAPES = 64;

/** Decodes chunks to bytes as far as their codecs are known. */
interface BytesDecoder {
  /** @param key the key of the chunk, or of the shard that it is in */
  decode(encoded: Uint8Array, key: string, verify: boolean): Awaitable<Uint8Array>;
  /** The codecs that are left. */
  readonly remaining: readonly CodecMetadata[];
}

/**
 * The chunks of one form that were right when they were decoded to views of a store's bytes. The caller may write into these views,
 * and a store that keeps the bytes, such as a cache, returns the edited ones.
 */
class VerifiedChunks {
  /** By the memory and the offset: the key of the chunk, and its length. */
  readonly #chunks = new WeakMap<ArrayBufferLike, Map<number, string>>();

  add(key: string, { buffer, byteOffset, byteLength }: Uint8Array): void {
    const chunks = this.#chunks.get(buffer) ?? new Map<number, string>();
    this.#chunks.set(buffer, chunks.set(byteOffset, `${byteLength} ${key}`));
  }

  has(key: string, { buffer, byteOffset, byteLength }: Uint8Array): boolean {
    return this.#chunks.get(buffer)?.get(byteOffset) === `${byteLength} ${key}`;
  }
}

function decoderOf(chain: AsyncCodecChain, remaining: readonly CodecMetadata[]): BytesDecoder {
  const codecs = codecsOf(chain) as Codecs;
  const verified = hasChecksum(chain.codecs) ? new VerifiedChunks() : undefined;
  return {
    remaining,
    decode(encoded, key, verify) {
      const isVerified = verified?.has(key, encoded) === true;
      return then(codecs.decodeAs(encoded, verify && !isVerified, NO_OPTIONS), ({ data }) => {
        const bytes = bytesOf(data, "decoded");
        if (verify && !isVerified && bytes.buffer === encoded.buffer) verified?.add(key, encoded);
        return bytes;
      });
    },
  };
}

export class StoredForm {
  /** The shape of the stored value. */
  readonly shape: readonly number[];
  readonly division: Division;
  /** The shape of the smallest chunks, and their number along each axis. */
  readonly chunkShape: readonly number[];
  readonly gridShape: readonly number[];
  readonly #metadata: ChainMetadata<string>;
  readonly #options: LoadOptions;
  #chain: Promise<AsyncCodecChain> | undefined;
  #bytes: Awaitable<BytesDecoder> | undefined;
  #check: Promise<ChunkCheck> | ChunkCheck | undefined;

  /** @throws InvalidMetadataError */
  constructor({ dataType, fillValue, codecs }: ArrayLayout, shape: readonly number[], options: LoadOptions) {
    const division = divide(shape, codecs, options);
    const { transposes, levels, axes } = division;
    this.shape = shape;
    this.division = division;
    this.chunkShape = inOrderOf(axes, division.shape);
    this.gridShape = shape.map((length, axis) => length / (this.chunkShape[axis] as number));
    const ofChunk = levels.length > 0 ? [...transposes, ...division.codecs] : codecs;
    this.#metadata = { dataType, shape: this.chunkShape, codecs: ofChunk, fillValue };
    this.#options = options;
  }

  /** The option of the array. */
  get verify(): Verify {
    return this.#options.verify ?? true;
  }

  /** Loads the chain of the smallest chunks. @throws InvalidMetadataError */
  chain(): Promise<AsyncCodecChain> {
    this.#chain ??= this.#located(loadCodecChain(this.#metadata, this.#options)).catch((error) => {
      this.#chain = undefined; // A codec may be registered later.
      throw error;
    });
    return this.#chain;
  }

  /** Returns a chunk that is not stored. */
  filled(): Chunk {
    return filledChunk(this.#metadata, this.#options);
  }

  /**
   * Returns what decodes chunks to the bytes of their elements, or as far as codecs are known; a promise until it is loaded.
   *
   * @throws InvalidMetadataError
   */
  bytesDecoder(): Awaitable<BytesDecoder> {
    this.#bytes ??= this.#loadBytes().then(
      (decoder) => {
        this.#bytes = decoder;
        return decoder;
      },
      (error) => {
        this.#bytes = undefined;
        throw error;
      },
    );
    return this.#bytes;
  }

  async #loadBytes(): Promise<BytesDecoder> {
    const options: LoadOptions = { ...this.#options, float16: "bits", smallFloats: "bits", strided: false };
    const { dataType, codecs } = this.#metadata;
    if (isKnownType(dataType)) {
      try {
        return decoderOf(await this.#located(loadCodecChain(this.#metadata, options)), []);
      } catch (error) {
        if (!(error instanceof InvalidMetadataError) || isUnderstood(this.#metadata, options.codecs))
          throw error;
      }
    }
    return loadPartial(this.#metadata, options, async (partial) => {
      if (partial === undefined) return { decode: (encoded) => encoded, remaining: codecs };
      const { metadata, remaining } = partial;
      return decoderOf(await loadCodecChain(metadata, partial.options), remaining);
    });
  }

  /** Returns the check of the smallest chunks; a promise until it is loaded. @throws InvalidMetadataError */
  check(): Promise<ChunkCheck> | ChunkCheck {
    this.#check ??= this.#loadCheck();
    return this.#check;
  }

  async #loadCheck(): Promise<ChunkCheck> {
    try {
      this.#check = await this.#located(loadChunkCheck(this.#metadata, this.#options));
      return this.#check;
    } catch (error) {
      this.#check = undefined;
      throw error;
    }
  }

  /** Replaces the paths of the smallest chunks' codecs in errors by those in the metadata. */
  async #located<T>(loading: Promise<T>): Promise<T> {
    try {
      return await loading;
    } catch (error) {
      throw this.#withPath(error);
    }
  }

  #withPath(error: unknown): unknown {
    if (!(error instanceof InvalidMetadataError)) return error;
    const { levels, transposes, path } = this.division;
    const [start, number] = /^codecs\[(\d+)\]/.exec(error.path) ?? [];
    if (levels.length === 0 || start === undefined || Number(number) < transposes.length) return error;
    const located = (text: string) => text.replace(start, `${path}[${Number(number) - transposes.length}]`);
    return new InvalidMetadataError(located(error.message), { path: located(error.path) });
  }
}

/** The forms of an array's stored values, by their shapes. Arrays that differ in nothing else share them. */
export class StoredForms {
  readonly #layout: ArrayLayout;
  readonly #options: LoadOptions;
  readonly #forms = new Map<string, StoredForm>();

  constructor(layout: ArrayLayout, options: LoadOptions) {
    this.#layout = layout;
    this.#options = options;
  }

  /** Returns the form of stored values of a shape. @throws InvalidMetadataError */
  of(shape: readonly number[]): StoredForm {
    const name = shape.join();
    const known = this.#forms.get(name);
    if (known) return known;
    const form = new StoredForm(this.#layout, shape, this.#options);
    if (this.#forms.size === MOST_SHAPES) this.#forms.clear();
    this.#forms.set(name, form);
    return form;
  }
}

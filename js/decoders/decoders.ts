/** The decoders of compressed chunks, a module of its own that is loaded when a chain needs it. */

import { load } from "#decoders";
import { externalCodecError, messageOf } from "../chain/external.js";
import { ChecksumMismatchError, ChunkLengthError } from "../errors.js";
import type { Instantiate, Outcome, Rust } from "./rust.js";

/** The most memory that is kept for the next chunk. */
const MOST_KEPT_BYTES = 64 * 1024 * 1024;

/** What is decoded, and what must be true of it. */
export interface Encoded {
  /** The number of the format, which `guardFormat` returns. */
  readonly format: number;
  readonly encoded: Uint8Array;
  /** The length of the decoded bytes, if known. */
  readonly decodedByteLength: number | undefined;
  /** Whether to compare checksums. */
  readonly verify: boolean;
  /** The name of the codec, and where it is in the metadata. */
  readonly name: string;
  readonly path: string;
}

export interface Decoded {
  readonly decoded: Uint8Array<ArrayBuffer>;
  /** Whether verified checksums cover all of them. */
  readonly isCovered: boolean;
}

export class Decoders {
  readonly #instantiate: Instantiate;
  /** The instance, unless the last one has grown or was aborted. */
  #rust: Rust | undefined;

  constructor(instantiate: Instantiate) {
    this.#instantiate = instantiate;
  }

  /**
   * Decodes a chunk, to a new array.
   *
   * @throws ExternalCodecError, ChunkLengthError, ChecksumMismatchError
   */
  decode(chunk: Encoded): Decoded {
    this.#rust ??= this.#instantiate();
    const rust = this.#rust;
    this.#rust = undefined; // Until the call has ended: a stack overflow of the caller, or a lack of memory, aborts it.
    const outcome = run(rust, chunk);
    const result = new Uint8Array(rust.memory.buffer, rust.result(), rust.result_length());
    const decoded = outcome <= 1 ? result.slice() : errorOf(outcome, result, rust, chunk);
    if (rust.memory.buffer.byteLength <= MOST_KEPT_BYTES) this.#rust = rust;
    if (decoded instanceof Error) throw decoded;
    return { decoded, isCovered: outcome === 1 };
  }
}

/** Passes a chunk to Rust. @throws ExternalCodecError (the call was aborted, for lack of memory) */
function run(rust: Rust, chunk: Encoded): Outcome {
  const { format, encoded, decodedByteLength = -1, verify } = chunk;
  try {
    const address = rust.reserve(encoded.byteLength);
    new Uint8Array(rust.memory.buffer, address, encoded.byteLength).set(encoded);
    return rust.decode_chunk(format, decodedByteLength, verify);
  } catch (cause) {
    if (cause instanceof RangeError) throw cause; // A stack overflow of the caller.
    throw externalCodecError(chunk, `could not decode the chunk: ${messageOf(cause)}`, cause);
  }
}

/** Returns the error that the message and the numbers in Rust's memory describe. */
function errorOf(outcome: Outcome, message: Uint8Array, rust: Rust, chunk: Encoded): Error {
  const text = new TextDecoder().decode(message);
  const [first = 0, second = 0, third = 0] = new Float64Array(rust.memory.buffer, rust.numbers(), 3);
  if (outcome === 2) return externalCodecError(chunk, text);
  if (outcome === 4) {
    return new ChecksumMismatchError(text, { stored: first, computed: second, byteLength: third });
  }
  const { path, name } = chunk;
  return new ChunkLengthError(`${path}: ${name}: ${text}`, { expected: first, actual: second });
}

let loading: Promise<Decoders> | undefined;

/** Loads the decoders. Concurrent calls share one load; the call after a failure retries. */
export function loadDecoders(): Promise<Decoders> {
  loading ??= load().then(
    (instantiate) => new Decoders(instantiate),
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/** A codec chain that may contain codecs of others. */

import { describe, InvalidArgumentError, InvalidMetadataError } from "../errors.js";
import { expectOut, expectReadable } from "../expect.js";
import { OWN_CODEC_NAMES } from "../generated/facts.js";
import { copyElements, typedArrayByteLength, typedArrayLength, typedArrayName } from "../intrinsics.js";
import {
  type Allowed,
  type ChainOptions,
  DECODE_OPTIONS,
  type DecodeOptions,
  ENCODE_OPTIONS,
  type EncodeOptions,
  readOptions,
} from "../options.js";
import { cOrderStride } from "../stride.js";
import {
  allocate,
  type Bytes,
  bytesOf,
  type DataType,
  type TypedArrayName,
  type TypedArrayOf,
} from "../typed-array.js";
import { ArrayCodec, lengthError } from "./array-codec.js";
import { decodeBytes, encodeBytes } from "./bytes.js";
import { type Chunk, type ChunkLike, CodecChain, deepFreeze, RESOLVED } from "./codec-chain.js";
import { defaultForm } from "./decode.js";
import {
  callExternal,
  type ExternalCodec,
  expectBytes,
  externalCodecError,
  GuardedCodec,
} from "./external.js";
import { hostCodec } from "./host-codecs.js";
import type {
  ArrayStep,
  External,
  ExternalStep,
  Request,
  Resolved,
  ResolvedCodec,
  Step,
} from "./resolved.js";

/** A codec of others in a chain. Without `codec` it is the host's. */
export interface LoadedCodec {
  readonly external: External;
  readonly codec?: ExternalCodec;
  readonly configuration: object;
}

/** A step that is executed: from what the step before it decoded, to the next. */
interface Stage {
  decode(encoded: unknown, verify: boolean, options: DecodeOptions): unknown;
  encode(decoded: unknown): unknown;
}

/**
 * The resolved codecs of an array, some of which may be codecs of others. Created by {@link loadCodecChain}.
 *
 * @example
 * ```ts
 * import { loadCodecChain } from "zarr-codecs";
 *
 * const chain = await loadCodecChain({ dataType: "uint8", shape: [2], codecs: ["bytes", "zlib", "crc32c"] });
 * chain.encodedByteLength; // => undefined
 * (await chain.decode(await chain.encode(Uint8Array.of(1, 2)))).data; // => Uint8Array.of(1, 2)
 * ```
 */
export class AsyncCodecChain<D extends DataType = DataType> {
  /** The same chain, if all codecs are of this package. */
  readonly #own: CodecChain<D> | undefined;
  /** In the order of decoding. */
  readonly #stages: readonly Stage[];
  readonly #verify: boolean;
  /** Kept for errors about lengths, which Rust explains from the metadata. */
  readonly #request: Request;

  /** The name of the data type. */
  readonly dataType: D;
  /** The shape of a chunk, in elements. */
  readonly shape: readonly number[];
  /** The codecs, those of this package normalised; ignored codecs are omitted. */
  readonly codecs: readonly ResolvedCodec[];
  /** The length of `data` of a decoded chunk, in bytes; undefined where a codec of others decodes to the array. */
  readonly decodedByteLength: number | undefined;
  /** The length of an encoded chunk, in bytes; undefined where it varies. */
  readonly encodedByteLength: number | undefined;

  /** Use {@link loadCodecChain}. */
  constructor(
    resolvedHere: typeof RESOLVED,
    resolved: Resolved,
    request: Request,
    options: ChainOptions,
    loaded: readonly LoadedCodec[],
  ) {
    if (resolvedHere !== RESOLVED) {
      const message = "AsyncCodecChain cannot be constructed: use loadCodecChain";
      throw new InvalidArgumentError(message, { argument: "AsyncCodecChain" });
    }
    const { steps } = resolved;
    const isOwn = steps.every(({ kind }) => kind !== "external");
    this.#own = isOwn ? new CodecChain<D>(RESOLVED, resolved, request, options) : undefined;
    this.#stages = isOwn ? [] : steps.map((step) => stageOf(step, resolved, request, options, loaded));
    this.#verify = options.verify ?? true;
    this.#request = request;
    const [first, last] = [steps[0], steps.at(-1)];
    this.dataType = resolved.dataType as D;
    this.shape = Object.freeze([...resolved.shape]);
    this.codecs = deepFreeze(codecsOf(resolved, request, loaded));
    this.decodedByteLength = last && isArrayStep(last) ? defaultForm(last).byteLength : undefined;
    this.encodedByteLength = first?.kind === "external" ? undefined : first?.encodedByteLength;
  }

  /** Decodes a chunk into a new `ArrayBuffer`. */
  decode(
    encoded: Bytes,
    options: DecodeOptions<never> & { readonly copy: true },
  ): Promise<Chunk<D, TypedArrayOf<D, ArrayBuffer>>>;
  /**
   * Decodes one chunk as {@link CodecChain.decode} does, with the codecs of others in their places.
   *
   * @throws ChunkLengthError, ChecksumMismatchError, InvalidElementError, ExternalCodecError, InvalidArgumentError
   */
  decode<A extends TypedArrayOf<D> = TypedArrayOf<D>>(
    encoded: Bytes,
    options?: DecodeOptions<A>,
  ): Promise<Chunk<D, A>>;
  async decode<A extends TypedArrayOf<D>>(encoded: Bytes, options?: DecodeOptions<A>): Promise<Chunk<D, A>> {
    if (this.#own) return this.#own.decode(encoded, options);
    const read = readOptions(options, DECODE_OPTIONS as Allowed<DecodeOptions<A>>);
    const verify = read.verify ?? this.#verify;
    const bytes = bytesOf(encoded, "encoded");
    const { byteLength } = bytes;
    if (byteLength !== (this.encodedByteLength ?? byteLength)) throw lengthError(this.#request, byteLength);
    let value: unknown = bytes;
    for (const stage of this.#stages) {
      // Codecs of others that take an array get it in C order.
      value = await stage.decode(value, verify, stage === this.#stages.at(-1) ? read : { strided: false });
    }
    return value as Chunk<D, A>;
  }

  /**
   * Encodes one chunk as {@link CodecChain.encode} does, with the codecs of others in their places.
   *
   * @returns `out`, which has exactly the length of the encoded chunk, or a new array
   * @throws ChunkLengthError, InvalidElementError, ExternalCodecError, InvalidArgumentError
   */
  async encode<B extends Uint8Array = Uint8Array<ArrayBuffer>>(
    chunk: ChunkLike<D>,
    options?: EncodeOptions<B>,
  ): Promise<B> {
    if (this.#own) return this.#own.encode(chunk, options);
    const { out } = readOptions(options, ENCODE_OPTIONS as Allowed<EncodeOptions<B>>);
    let value: unknown = this.decodedByteLength === undefined ? completed(chunk, this.shape) : chunk;
    for (const stage of [...this.#stages].reverse()) value = await stage.encode(value);
    const encoded = value as Uint8Array;
    if (out === undefined) return encoded as B;
    copyElements(encoded, expectOut(out, "Uint8Array", encoded.byteLength, encoded, "the encoded bytes"));
    return out;
  }
}

/** Returns a chunk for a codec of others: `data` may stand alone, and is in C order unless a stride says otherwise. */
function completed(chunk: unknown, ofChain: readonly number[]): unknown {
  return expectReadable("chunk", () => {
    const { data = chunk, shape = [...ofChain], stride = cOrderStride(ofChain) } = Object(chunk);
    return { data, shape, stride };
  });
}

/** Returns the codecs in the order of the metadata. */
function codecsOf(
  resolved: Resolved,
  { metadata }: Request,
  loaded: readonly LoadedCodec[],
): ResolvedCodec[] {
  const external = new Map<number, ResolvedCodec>();
  for (const step of resolved.steps) {
    if (step.kind !== "external") continue;
    const { name, index } = step;
    const { configuration } = loaded.find((codec) => codec.external.index === index) ?? {};
    const stated = configuration && Object.keys(configuration).length > 0;
    external.set(index, { name, ...(stated && { configuration: configuration as Record<string, unknown> }) });
  }
  const own = resolved.codecs.values();
  const { codecs } = metadata as { codecs: readonly (string | { name: string })[] };
  return codecs.flatMap((codec, index) => {
    const name = typeof codec === "string" ? codec : codec.name;
    return external.get(index) ?? (OWN_CODEC_NAMES.includes(name) ? (own.next().value ?? []) : []);
  });
}

function isArrayStep(step: Step): step is ArrayStep {
  return step.kind === "native" && step.shape !== undefined;
}

function stageOf(
  step: Step,
  { steps, shape }: Resolved,
  request: Request,
  options: ChainOptions,
  loaded: readonly LoadedCodec[],
): Stage {
  // Codecs between may change the shape.
  if (step.kind === "external") return externalStage(step, step === steps.at(-1) ? shape : undefined, loaded);
  if (isArrayStep(step)) return arrayStage(new ArrayCodec(step, request, options));
  return {
    decode: (encoded, verify) => decodeBytes(step, encoded as Uint8Array, verify),
    encode: (decoded) => encodeBytes(step, decoded as Uint8Array),
  };
}

function arrayStage(codec: ArrayCodec): Stage {
  return {
    decode: (encoded, verify, options) => codec.decode(encoded, verify, options),
    encode: (decoded) => codec.encode(decoded, {}),
  };
}

/** @param shape that of the chunk that the codec decodes to, if it is known */
function externalStage(
  step: ExternalStep,
  shape: readonly number[] | undefined,
  loaded: readonly LoadedCodec[],
): Stage {
  const found = loaded.find(({ external }) => external.index === step.index);
  if (found === undefined) {
    const rule = "not supported before a codec of others that takes the array";
    throw new InvalidMetadataError(`${step.path}: ${step.name} is ${rule}`, { path: step.path });
  }
  const { codec, external, configuration } = found;
  const { kind } = external;
  if (kind === "bytes_to_bytes") {
    const host = hostCodec(step.name, configuration, step.decodedByteLength);
    return new GuardedCodec((codec ?? host) as ExternalCodec, step, codec && host);
  }
  const implementation = codec as ExternalCodec;
  return {
    async decode(encoded, _, options) {
      const input = kind === "array_to_bytes" ? ownBuffer(encoded as Uint8Array) : encoded;
      const chunk = await callExternal(implementation, "decode", input, step);
      return expectDecoded(chunk, shape, options, step);
    },
    async encode(decoded) {
      const encoded = await callExternal(implementation, "encode", decoded, step);
      return kind === "array_to_bytes" ? expectBytes(encoded, "encode", step) : encoded;
    },
  };
}

/** Returns bytes in a buffer of their own: not all codecs of others respect the offset of a view. */
function ownBuffer(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

/** Returns the chunk that a codec of others decoded to, copied if an option says so. */
function expectDecoded(
  chunk: unknown,
  shape: readonly number[] = [],
  { out, copy }: DecodeOptions,
  step: ExternalStep,
): Chunk {
  const decoded = chunk as Chunk;
  const { data } = (chunk ?? {}) as Partial<Chunk>;
  if (typeof data !== "object" || data === null) {
    throw externalCodecError(step, `decode returned ${describe(chunk)}, expected a chunk`);
  }
  const count = shape.reduce((product, length) => product * length, 1);
  // More may be components, or memory that a stride leaves out.
  if ((typedArrayLength(data) ?? count) < count) {
    throw externalCodecError(step, `decode returned ${describe(data)}, expected ${count} elements`);
  }
  const name = typedArrayName(data) as TypedArrayName | undefined;
  if (name === undefined || (out === undefined && !copy)) return decoded;
  const byteLength = typedArrayByteLength(data) as number;
  const target =
    out === undefined ? allocate(name, byteLength) : expectOut(out, name, byteLength, data, "the data");
  copyElements(data, target);
  return { ...decoded, data: target as never };
}

/** The options of calls, and their validation. */

import { ANY_FUNCTION, VERIFY, type Verify } from "./crc32c/mismatch.js";
import { describe, either, InvalidArgumentError, invalidArgument, truncate } from "./errors.js";
import { expectReadable } from "./expect.js";

/** Options of a codec chain. */
export interface ChainOptions {
  /** Whether to verify checksums when decoding, and what to do if one is wrong. Default: true. */
  readonly verify?: Verify | undefined;
  /**
   * The byte order to assume where the metadata of multi-byte data lacks it, as some older writers left it out; or
   * `"error"`, the default.
   */
  readonly missingEndian?: "error" | "little" | "big" | undefined;
  /** Whether `bool` elements other than 0 and 1 are rejected or read as true. Default: `"error"`. */
  readonly invalidBool?: "error" | "coerce" | undefined;
  /**
   * The array that `float16` decodes to: the host's `Float16Array`, a `Float32Array` of the same values, or a `Uint16Array`
   * of their bits. `"auto"`, the default, is the first of these that the host has. `encode` accepts all three.
   */
  readonly float16?: "auto" | "float16" | "float32" | "bits" | undefined;
  /**
   * The array that `bfloat16` and floating-point numbers of 8 bits or fewer decode to: a `Float32Array` of the same values, the
   * default, or an unsigned one of their bits. `encode` accepts both.
   */
  readonly smallFloats?: "float32" | "bits" | undefined;
  /**
   * Whether to decode to the order in which `transpose` stored the elements, described by the chunk's `stride`, instead of
   * moving them to C order. Where a `reshape` has left an order that no strides describe, `data` is in C order. Default: false.
   */
  readonly strided?: boolean | undefined;
}

/** Options of the codec chain of an array. */
export interface ArrayChainOptions extends ChainOptions {
  /** The shape of the chunk, in elements, where the array's chunk grid is not regular and chunks differ. */
  readonly chunkShape?: readonly number[] | undefined;
}

/** Options of decoding one chunk. */
export interface DecodeOptions<A = unknown> {
  /** Overrides the chain's own `verify` for this chunk. */
  readonly verify?: Verify | undefined;
  /**
   * The array to decode into, of the type and length of `data`. It must not overlap the encoded bytes, and is written
   * only after all checks have passed.
   */
  readonly out?: A | undefined;
  /** Whether to return `data` in a new buffer even where it could be a view of the encoded bytes. Default: false. */
  readonly copy?: boolean | undefined;
  /**
   * Whether the encoded bytes may be overwritten, after all checks have passed, so that `data` can be a view of them.
   * Where their alignment does not allow that, `data` is a new array. Default: false.
   */
  readonly inPlace?: boolean | undefined;
  /** Overrides the chain's own `strided` for this chunk. */
  readonly strided?: boolean | undefined;
}

/** Options of encoding one chunk. */
export interface EncodeOptions<B extends Uint8Array = Uint8Array> {
  /** The array to encode into, of `encodedByteLength` bytes. It must not overlap the decoded array. */
  readonly out?: B | undefined;
}

/** The allowed values of each option; `undefined` allows any, which is checked where it is used. */
export type Allowed<O> = { readonly [name in keyof O]-?: readonly O[name][] | undefined };

const BOOLEAN = [true, false];

export const CHAIN_OPTIONS: Allowed<ChainOptions> = {
  verify: VERIFY,
  missingEndian: ["error", "little", "big"],
  invalidBool: ["error", "coerce"],
  float16: ["auto", "float16", "float32", "bits"],
  smallFloats: ["float32", "bits"],
  strided: BOOLEAN,
};
export const ARRAY_CHAIN_OPTIONS: Allowed<ArrayChainOptions> = { ...CHAIN_OPTIONS, chunkShape: undefined };
export const DECODE_OPTIONS: Allowed<DecodeOptions> = {
  verify: VERIFY,
  out: undefined,
  copy: BOOLEAN,
  inPlace: BOOLEAN,
  strided: BOOLEAN,
};
export const ENCODE_OPTIONS: Allowed<EncodeOptions> = { out: undefined };

/** No options, as {@link readOptions} returns them. */
export const NO_OPTIONS: object = Object.freeze({});

/**
 * Copies an object's own enumerable properties, checking their names and values. Reads the caller's object once, so that it
 * cannot change between check and use.
 *
 * @throws InvalidArgumentError
 */
export function readOptions<O extends object>(options: O | undefined, allowed: Allowed<O>): Partial<O> {
  if (options === undefined) return NO_OPTIONS;
  return expectReadable("options", () => {
    if (!hasProperties(options)) throw invalidArgument("options", "an object", describe(options));
    const copy: Partial<O> = {};
    for (const name of Object.keys(options) as (keyof O & string)[]) {
      if (!Object.hasOwn(allowed, name)) {
        const argument = `options.${truncate(name)}`;
        const names = Object.keys(allowed).join(", ");
        throw new InvalidArgumentError(`${argument}: unknown option; allowed: ${names}`, { argument });
      }
      const value = options[name];
      const values = allowed[name];
      if (value !== undefined && values !== undefined && !isAmong(values, value)) {
        throw invalidArgument(`options.${name}`, either(values.map(describe)), describe(value));
      }
      copy[name] = value;
    }
    return copy;
  });
}

function isAmong<T>(values: readonly T[], value: T): boolean {
  return values.includes(value) || (typeof value === "function" && values.includes(ANY_FUNCTION as T));
}

/** Returns whether a value is an object with properties as content: a Map or a Date would pass for empty options. */
function hasProperties(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Object.getPrototypeOf(value) === Object.prototype) return true; // Most are, and this is faster.
  const tag = Object.prototype.toString.call(value);
  return tag === "[object Object]" || tag === "[object Module]";
}

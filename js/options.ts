/** The options of this package, and their check. */

import { cut, describe, InvalidArgumentError } from "./errors.js";
import { expectReadable } from "./expect.js";

/** Options of a codec chain. */
export interface ChainOptions {
  /** Whether to verify checksums when decoding; false also skips computing them. Default: true. */
  readonly verify?: boolean | undefined;
  /**
   * What to do where the byte order of multi-byte data is missing, as in files of some older writers: refuse, or
   * assume one. Default: `"error"`.
   */
  readonly missingEndian?: "error" | "little" | "big" | undefined;
  /** What to do with `bool` elements other than 0 and 1: refuse them, or take them for true. Default: `"error"`. */
  readonly invalidBool?: "error" | "true" | undefined;
  /**
   * What `float16` decodes to: the host's `Float16Array`; `Float32Array` of the same values; or their bits in a
   * `Uint16Array`. `"auto"`, the default, is the first of these that the host has. `encode` takes any of the three.
   */
  readonly float16?: "auto" | "float16" | "float32" | "bits" | undefined;
}

/** Options of decoding one chunk. */
export interface DecodeOptions<A = unknown> {
  /** Overrides the chain's own `verify` for this chunk. */
  readonly verify?: boolean | undefined;
  /**
   * The array to decode into: of the right type and length, and apart from the encoded bytes. It is written only
   * after all checks have passed.
   */
  readonly out?: A | undefined;
  /** True: `data` never shares memory with the encoded bytes. Default: false. */
  readonly copy?: boolean | undefined;
  /**
   * True: the encoded bytes may be overwritten, after all checks have passed, so that `data` can be a view of them.
   * Where their alignment does not allow one, `data` is a new array all the same. Default: false.
   */
  readonly inPlace?: boolean | undefined;
}

/** Options of encoding one chunk. */
export interface EncodeOptions<B extends Uint8Array = Uint8Array> {
  /** The array to encode into: `encodedByteLength` bytes, apart from the decoded ones. */
  readonly out?: B | undefined;
}

/** The values that each option may have; `undefined` stands for any, checked where it is used. */
export type Allowed<O> = { readonly [name in keyof O]-?: readonly O[name][] | undefined };

const BOOLEAN = [true, false];

export const CHAIN_OPTIONS: Allowed<ChainOptions> = {
  verify: BOOLEAN,
  missingEndian: ["error", "little", "big"],
  invalidBool: ["error", "true"],
  float16: ["auto", "float16", "float32", "bits"],
};
export const DECODE_OPTIONS: Allowed<DecodeOptions> = {
  verify: BOOLEAN,
  out: undefined,
  copy: BOOLEAN,
  inPlace: BOOLEAN,
};
export const ENCODE_OPTIONS: Allowed<EncodeOptions> = { out: undefined };

/**
 * What options inherit: nothing, so that none is ever read from `Object.prototype`. Children of such an object are as quick
 * as object literals, to make and to read; objects with the prototype null take 1.5 times as long (Node 20, 2026-11-21).
 */
const NOTHING: object = Object.freeze(Object.create(null));

const NONE: object = Object.freeze(Object.create(NOTHING));

/**
 * Copies options whose names and values are allowed: the object's own enumerable properties. The caller's object is read
 * once, so that it cannot change between the check and the use.
 */
export function readOptions<O extends object>(options: O | undefined, allowed: Allowed<O>): Partial<O> {
  if (options === undefined) return NONE;
  return expectReadable("options", () => {
    if (!hasProperties(options)) throw new InvalidArgumentError("options", "an object", describe(options));
    const copy: Partial<O> = Object.create(NOTHING);
    for (const name of Object.keys(options) as (keyof O & string)[]) {
      if (!Object.hasOwn(allowed, name)) {
        const names = Object.keys(allowed).join(", ");
        throw new InvalidArgumentError(`options.${cut(name)}`, `one of ${names}`, cut(name));
      }
      const value = options[name];
      const values = allowed[name];
      if (value !== undefined && values !== undefined && !values.includes(value)) {
        throw new InvalidArgumentError(`options.${name}`, values.map(describe).join(" or "), describe(value));
      }
      copy[name] = value;
    }
    return copy;
  });
}

/** Whether a value is an object whose content is its properties: a Map or a Date would pass for no options at all. */
function hasProperties(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const tag = Object.prototype.toString.call(value);
  return tag === "[object Object]" || tag === "[object Module]";
}

/** The properties of codec chains. */

import { InvalidArgumentError } from "../errors.js";
import type { DataType } from "../typed-array.js";
import type { Codecs } from "./codecs.js";
import type { ResolvedCodec } from "./resolved.js";

/** Restricts the constructors to this package, which passes only what Rust has resolved. */
export const RESOLVED = Symbol("resolved");

const CODECS = new WeakMap<object, Codecs>();

/** Returns the codecs of a chain; undefined for anything else. */
export function codecsOf(chain: object): Codecs | undefined {
  return CODECS.get(chain);
}

/** The properties that all codec chains have. */
export abstract class ResolvedChain<D extends DataType> {
  /** The name of the data type. */
  readonly dataType: D;
  /** The shape of a chunk, in elements. */
  readonly shape: readonly number[];
  /**
   * The codecs. Built-in ones are normalised: aliases and short-hands resolved, an assumed byte order stated. Ignored codecs are
   * omitted.
   */
  readonly codecs: readonly ResolvedCodec[];
  /** The length of an encoded chunk, in bytes, including checksums; undefined if it varies. */
  readonly encodedByteLength: number | undefined;

  protected constructor(resolvedHere: typeof RESOLVED, codecs: Codecs, name: string, instead: string) {
    if (resolvedHere !== RESOLVED) {
      throw new InvalidArgumentError(`${name} cannot be constructed: use ${instead}`, { argument: name });
    }
    const { resolved, encodedByteLength } = codecs;
    this.dataType = resolved.dataType as D;
    this.shape = Object.freeze([...resolved.shape]);
    this.codecs = deepFreeze(resolved.codecs);
    this.encodedByteLength = encodedByteLength;
    CODECS.set(this, codecs);
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

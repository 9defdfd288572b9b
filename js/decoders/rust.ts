/** What `crates/decoders` exports (`exports.rs`), and the loaders of it. */

/** The functions of an instance. Addresses are valid until the next call. */
export interface Rust {
  /** May grow in any call. */
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Returns the address of memory for encoded bytes, all of which are then written. */
  reserve(byteLength: number): number;
  /**
   * Decodes them.
   *
   * @param decodedLength negative if it is not known
   * @returns an {@link Outcome}
   */
  decode_chunk(format: number, decodedLength: number, verify: boolean): Outcome;
  /** Returns the address of the decoded bytes, or of the message of an error. */
  result(): number;
  /** Returns their length. */
  result_length(): number;
  /** Returns the address of the three numbers of an error. */
  numbers(): number;
}

/** Bytes that no checksums cover, bytes that checksums cover, and errors: of the format, of the length, of a checksum. */
export type Outcome = 0 | 1 | 2 | 3 | 4;

/** Creates an instance, with memory of its own. */
export type Instantiate = () => Rust;

/** A loader: a file in `loaders/`. `#decoders` in package.json maps conditions to loaders. */
export interface Loader {
  load(): Promise<Instantiate>;
}

/** The window in Rust's memory (`crates/kernel/src/window.rs`), and what is kept from one call for the next. */

import { type TypedArray, type TypedArrayName, viewAs } from "../typed-array.js";
import type { Form } from "./form.js";
import type { Rust } from "./rust.js";

/** The two halves of Rust's window, and the functions of the same instance. */
export class Window {
  readonly rust: Rust;
  readonly encoded: Uint8Array;
  readonly decoded: Uint8Array;
  private readonly encodedViews: Views = {};
  private readonly decodedViews: Views = {};
  private permutation: readonly number[] | undefined;
  private words: Uint32Array | undefined;
  private lastRuns: Uint32Array | undefined;
  private split: { form: Form; encodes: boolean; count: number } | undefined;
  private readonly parts = new Map<number, Uint8Array[]>();

  constructor(rust: Rust) {
    this.rust = rust;
    this.encoded = rust.encodedWindow();
    this.decoded = rust.decodedWindow();
  }

  /** Returns a view of the first bytes of the encoded half. */
  encodedView(byteLength: number, array: TypedArrayName = "Uint8Array"): TypedArray {
    return viewOf(this.encoded, this.encodedViews, array, byteLength);
  }

  /** Returns a view of the first bytes of the decoded half. */
  decodedView({ array, byteLength }: Form): TypedArray {
    return viewOf(this.decoded, this.decodedViews, array, byteLength);
  }

  /** Splits a chunk of the form into blocks, unless it is the same as last time. Returns their number. */
  blocksOf(form: Form, encodes: boolean): number {
    this.setPermutation(form.permutation);
    if (form !== this.split?.form || encodes !== this.split.encodes) {
      this.split = { form, encodes, count: this.rust.splitIntoBlocks(form.conversion, encodes) };
    }
    return this.split.count;
  }

  /** The runs of the current block. */
  get runs(): Uint32Array {
    this.lastRuns ??= this.rust.blockRuns();
    return this.lastRuns;
  }

  /** Writes a form's permutation to where Rust reads it, unless it is there. Returns whether there is one. */
  setPermutation(permutation: readonly number[] | undefined): boolean {
    if (permutation === undefined) return false;
    if (permutation !== this.permutation) {
      this.words ??= this.rust.permutationWords();
      this.words.set(permutation);
      this.permutation = permutation;
    }
    return true;
  }

  /** Returns views of at least `count` consecutive parts of a half, which are kept for the next blocks. */
  partsOf(half: Uint8Array, byteLength: number, count: number): readonly Uint8Array[] {
    const key = half.byteOffset + byteLength; // Of the encoded half: less than any of the decoded one, which follows it.
    let parts = this.parts.get(key);
    if (parts === undefined) {
      // Blocks at the end of the chunk are shorter. So there are two lengths, or four for both directions.
      if (this.parts.size === 4) this.parts.clear();
      parts = [];
      this.parts.set(key, parts);
    }
    for (let i = parts.length; i < count; i++) {
      parts.push(half.subarray(i * byteLength, (i + 1) * byteLength));
    }
    return parts;
  }
}

/**
 * A cache of the last view of each type: most calls have chunks of one length, and creating a view takes as long as copying
 * 1 KiB.
 */
type Views = Partial<Record<TypedArrayName, { view: TypedArray; byteLength: number }>>;

function viewOf(half: Uint8Array, views: Views, name: TypedArrayName, byteLength: number): TypedArray {
  const last = views[name];
  if (last?.byteLength === byteLength) return last.view;
  const view = viewAs(name, half, byteLength) as TypedArray; // The window is aligned.
  views[name] = { view, byteLength };
  return view;
}

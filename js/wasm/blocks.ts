/**
 * Converts chunks whose components move and that do not fit into the window, block by block (`src/wasm/transpose.rs`).
 *
 * Rust lists the runs that a block consists of. They are copied here: from Rust, a copy takes five times as long.
 */

import type { Form } from "./form.js";
import { instance } from "./instance.js";

/**
 * Moves the components of `source` to their places in `target`, and converts them.
 *
 * @param encodes the direction
 */
export function convertBlocks(source: Uint8Array, target: Uint8Array, form: Form, encodes: boolean): void {
  const { conversion } = form;
  const window = instance.enter();
  const { rust, runs } = window;
  const middle = runs.length / 2;
  const [from, to] = encodes ? [window.decoded, window.encoded] : [window.encoded, window.decoded];
  const count = window.blocksOf(form, encodes);
  for (let block = 0; block < count; block++) {
    rust.selectBlock(block, conversion, encodes);
    gather(source, from, runs);
    rust.convertBlock(block, conversion, encodes);
    scatter(window.partsOf(to, runs[middle] as number, runs[middle + 1] as number), target, runs);
  }
  instance.leave();
}

/** Copies the runs of a block into the window. */
function gather(source: Uint8Array, half: Uint8Array, runs: Uint32Array): void {
  const [length, count] = runs as unknown as [number, number];
  for (let i = 0; i < count; i++) {
    const start = runs[2 + i] as number;
    half.set(source.subarray(start, start + length), i * length);
  }
}

/** Copies the parts of the window to the runs of a block. */
function scatter(parts: readonly Uint8Array[], target: Uint8Array, runs: Uint32Array): void {
  const offsets = runs.length / 2 + 2;
  const count = runs[offsets - 1] as number;
  for (let i = 0; i < count; i++) target.set(parts[i] as Uint8Array, runs[offsets + i] as number);
}

// Makes Rust's panics trap without a message. Nobody would see it, and what formats messages is in the part of `std` that
// the compiler links ready-made, with its panic handler.

import { readFileSync, writeFileSync } from "node:fs";

/** The functions that only panic, or that only a panic calls: `src/text.rs` formats all other messages. */
const PANICS = [
  /\bfmt::/,
  /^core\b.*::panicking::/,
  /^<?std\b.*::panicking::(begin_panic|panic_handler|(rust_)?panic_with_hook)/,
  /^(core|alloc)\b.*::(\w+_fail|\w+_failed|handle_error|handle_alloc_error|capacity_overflow)\b/,
];

/** The path of a source file, as panics refer to it. */
const PATH = /^[\w./-]+\.rs$/;

/** The size of a `core::panic::Location` in memory: the address and the length of a path, a line and a column. */
const LOCATION = 16;

/**
 * Replaces the bodies of functions that panic by traps, and clears the locations that they were called with. wasm-opt then
 * removes what has no effect any more. The functions of the module need names.
 */
export async function silencePanics(file) {
  const { default: binaryen } = await import("binaryen"); // Installed by the script that calls this.
  const bytes = readFileSync(file);
  clearLocations(bytes, binaryen);
  const module = binaryen.readBinary(bytes);
  let count = 0;
  for (let i = 0; i < module.getNumFunctions(); i++) {
    const ref = module.getFunctionByIndex(i);
    const name = demangled(binaryen.getFunctionInfo(ref).name);
    if (!PANICS.some((pattern) => pattern.test(name))) continue;
    binaryen.Function.setBody(ref, module.unreachable());
    count++;
  }
  if (count === 0) throw new Error(`${file}: no function that panics, or no names`);
  binaryen.setDebugInfo(true); // Keeps the names, by which wasm-opt sorts.
  writeFileSync(file, module.emitBinary());
  module.dispose();
}

/**
 * Returns the path of a function: of names that wasm-bindgen has not made readable, the identifiers in them, each of which
 * follows its length.
 */
function demangled(name) {
  if (!/^_(R|ZN)/.test(name)) return name;
  const identifiers = [];
  // In newer names, identifiers may follow numbers to the base 62.
  const number = name.startsWith("_R") ? /(?:Cs|s)[\dA-Za-z]*_|(\d+)/g : /(\d+)/g;
  for (let match = number.exec(name); match; match = number.exec(name)) {
    if (match[1] === undefined) continue;
    const start = number.lastIndex;
    number.lastIndex += Number(match[1]);
    identifiers.push(name.slice(start, number.lastIndex));
  }
  return identifiers.join("::").replaceAll("..", "::").replaceAll("_$LT$", "<");
}

/** Clears the locations of panics and the paths that they refer to in the data of a module. */
function clearLocations(bytes, binaryen) {
  for (const { offset, data } of segments(bytes, binaryen)) {
    const words = new DataView(data.buffer, data.byteOffset, data.length);
    const paths = new Set();
    // Their alignment is 4 in memory, not in the file.
    for (let at = -offset & 3; at + LOCATION <= data.length; at += 4) {
      const start = words.getUint32(at, true) - offset;
      const end = start + words.getUint32(at + 4, true);
      if (start < 0 || end > data.length || !PATH.test(data.toString("latin1", start, end))) continue;
      data.fill(0, at, at + LOCATION);
      paths.add(`${start}-${end}`);
    }
    for (const path of paths) data.fill(0, ...path.split("-").map(Number));
  }
}

/** Yields the data segments of a module: where they are in memory, and their bytes. */
function* segments(bytes, binaryen) {
  const module = binaryen.readBinary(bytes);
  for (let i = 0; i < module.getNumDataSegments(); i++) {
    const { offset, data } = module.getDataSegmentInfo(module.getDataSegmentByIndex(i));
    const at = bytes.indexOf(new Uint8Array(data));
    yield { offset, data: bytes.subarray(at, at + data.byteLength) };
  }
  module.dispose();
}

// The compilation target, and the check that a compiler supports it.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { quietly, TEMPORARY } from "./steps.mjs";

export const TARGET = "wasm32-unknown-unknown";

const PROBE = `#[no_mangle]
pub extern "C" fn digits(n: u32) -> usize { format!("{n}").len() }
#[test]
fn counts() { assert_eq!(digits(42), 2); }
`;

/**
 * Resolves to whether a compiler links for the target, which fails without a linker or with a missing, stale or partial
 * standard library. Links once with LTO, as in a release build, and once with the test harness, because wasm-bindgen-test needs
 * the crate `test`.
 */
export async function links(rustc) {
  const source = join(TEMPORARY, "probe.rs");
  writeFileSync(source, PROBE);
  const compile = (name, ...args) =>
    quietly(rustc, [
      "--target",
      TARGET,
      "--edition",
      "2021",
      "-C",
      "panic=abort",
      ...args,
      "-o",
      join(TEMPORARY, `${name}.wasm`),
      source,
    ]);
  const linked = await Promise.all([
    compile("probe", "-C", "lto=thin", "--crate-type", "cdylib"),
    compile("test", "--test"),
  ]);
  return linked.every(Boolean);
}

/** Loads the portable build: Rust without SIMD instructions, translated to JavaScript by wasm2js. */

import { instantiate } from "../../wasm/generated/decoders/portable.js";
import type { Loader, Rust } from "../rust.js";

export const load: Loader["load"] = async () => () => instantiate({}) as Rust;

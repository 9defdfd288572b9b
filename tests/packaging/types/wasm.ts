// Compiled where the library has WebAssembly.

import { initSync } from "zarr-codecs";

declare const bytes: Uint8Array<ArrayBuffer>;
initSync(new WebAssembly.Module(bytes));

/** The type of `zarr_decoders.wasm` on hosts that import WebAssembly modules. */
declare const module: WebAssembly.Module;
export default module;

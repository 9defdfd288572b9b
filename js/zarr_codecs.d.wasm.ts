/** As hosts import it that know modules of WebAssembly. */
declare const module: WebAssembly.Module;
export default module;

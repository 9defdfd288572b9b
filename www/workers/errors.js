// Errors as messages between threads carry them.

/**
 * An error with the fields that this package's errors have.
 *
 * @typedef {{ name: string, message: string, code?: string, stored?: number, computed?: number, byteLength?: number,
 *   diagnosis?: import("zarr-codecs").Diagnosis, expected?: number, actual?: number, path?: string, codec?: string, index?: number, value?: unknown,
 *   argument?: string, status?: number, key?: string }} PlainError
 */

const FIELDS = /** @type {const} */ ([
  "code",
  "stored",
  "computed",
  "byteLength",
  "diagnosis",
  "codec",
  "expected",
  "actual",
  "path",
  "index",
  "value",
  "argument",
  "status",
  "key",
]);

/** Leaves out what C++ calls an exception: codecs that were compiled to WebAssembly say it first. @param {string} message */
export const withoutTypes = (message) => message.replace(/\bstd::\w+,\s*/g, "");

/** Copies an error; of one that zarrita wrapped, the cause. @param {any} thrown @returns {PlainError} */
export function plainError(thrown) {
  const error = thrown?.name === "CodecPipelineError" && thrown.cause ? thrown.cause : thrown;
  if (!(error instanceof Error)) return { name: "Error", message: withoutTypes(String(error)) };
  const fields = FIELDS.map((name) => [name, /** @type {any} */ (error)[name]]);
  const own = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  return { name: error.name, message: withoutTypes(error.message), ...own };
}

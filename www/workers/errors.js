// Errors as a message to the page can carry them: with the fields that this package gives them.

const FIELDS = [
  "name",
  "message",
  "code",
  "stored",
  "computed",
  "byteLength",
  "diagnosis",
  "expected",
  "actual",
  "path",
  "index",
  "value",
  "argument",
];

/** What zarrita wraps into an error of its pipeline is the one that tells. */
export function plainError(thrown) {
  const error = thrown?.name === "CodecPipelineError" && thrown.cause ? thrown.cause : thrown;
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  return Object.fromEntries(
    FIELDS.filter((name) => error[name] !== undefined).map((name) => [name, error[name]]),
  );
}

/** The host's streams, for programs with their types and programs without: not every program has those of the DOM or of Node. */

// In declarations an unknown name is an error in the user's program, where these comments go along and suppress it. It
// must not be @ts-expect-error: in most programs there is no error.
// biome-ignore-start lint/suspicious/noTsIgnore: see above

/** @ts-ignore */
type KnownReadableStream<R> = ReadableStream<R>;

/** @ts-ignore */
type KnownWritableStream<W> = WritableStream<W>;

// biome-ignore-end lint/suspicious/noTsIgnore: see above

/** The host's `ReadableStream`, where its types are known. */
export type HostReadableStream<R> = typeof globalThis extends { ReadableStream: unknown }
  ? KnownReadableStream<R>
  : unknown;

/** The host's `WritableStream`, where its types are known. */
export type HostWritableStream<W> = typeof globalThis extends { WritableStream: unknown }
  ? KnownWritableStream<W>
  : unknown;

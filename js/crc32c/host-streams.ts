/** The types of the host's streams, `unknown` in programs that have neither the types of the DOM nor those of Node. */

// An unknown name in a declaration file is an error in the user's program. These comments are kept in declaration files and
// suppress it. Not @ts-expect-error, because most programs know the names.
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

/** A store in a zip file (`.zip`, `.ozx`). Its entries have a CRC-32 each, which proves all bytes of a chunk. */

import { crc32, inflateRawSync } from "node:zlib";
import { type Awaitable, then } from "../../js/awaitable.js";
import { ExternalCodecError } from "../../js/errors.js";
import { boundsOf } from "../../js/shard/ranges.js";
import type { ByteSource } from "./bytes.js";
import { isMetadata } from "./keys.js";
import { LocalFile } from "./local-file.js";
import {
  type ObjectChecksum,
  type OpenedStore,
  type RangeQuery,
  RequestError,
  type StoreEntry,
  StoreError,
  type StoreKey,
  type StoreOptions,
  type StoreSettings,
} from "./store.js";
import { readDirectory, ZipDirectory, type ZipEntry } from "./zip-directory.js";

const STORED = 0;
const DEFLATED = 8;
/** A local header without the name and extra field that follow it, whose lengths stand in it. */
const LOCAL_HEADER_LENGTH = 30;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;
const NAME_LENGTH_AT = 26;
const EXTRA_LENGTH_AT = 28;

/** Over a network, a header and what follows are read with one request: with room for an extra field. */
const EXTRA_LENGTH = 64;
const MOST_TOGETHER = 2 ** 22;

/** How many bytes that were inflated are kept: of a shard, parts are read one after the other. */
const MOST_INFLATED = 2 ** 26;

/** Opens a zip file. @throws StoreError */
export async function openZip(path: string, settings: StoreSettings): Promise<OpenedStore> {
  let file: LocalFile;
  try {
    file = new LocalFile(path);
  } catch (error) {
    throw new StoreError(`${path}: ${(error as Error).message}`);
  }
  return openZipIn(file, path, settings);
}

/** Opens a zip file that a source reads. @throws StoreError */
export async function openZipIn(
  source: ByteSource,
  name: string,
  settings: StoreSettings,
): Promise<OpenedStore> {
  try {
    const directory = new ZipDirectory(settings.directory ?? (await readDirectory(source)));
    return new ZipStore(name, source, directory);
  } catch (error) {
    source.close();
    throw new StoreError(`${name} is not a zip file that can be read: ${(error as Error).message}`);
  }
}

class ZipStore implements OpenedStore {
  readonly isReused = true;
  readonly name: string;
  readonly directory: ZipDirectory["columns"];
  readonly #source: ByteSource;
  readonly #entries: ZipDirectory;
  readonly #inflated = new Map<number, Uint8Array>();
  #inflatedLength = 0;

  constructor(name: string, source: ByteSource, entries: ZipDirectory) {
    this.name = name;
    this.directory = entries.columns;
    this.#source = source;
    this.#entries = entries;
  }

  get(key: StoreKey, options?: StoreOptions): Awaitable<Uint8Array> | undefined {
    const entry = this.#entryOf(key);
    return entry && this.#read(entry, { offset: 0, length: entry.byteLength }, options);
  }

  getRange(key: StoreKey, range: RangeQuery, options?: StoreOptions): Awaitable<Uint8Array> | undefined {
    const entry = this.#entryOf(key);
    return entry && this.#read(entry, range, options);
  }

  *list(): Iterable<StoreEntry> {
    for (let i = 0; i < this.directory.count; i++) {
      yield { key: this.#entries.nameOf(i), byteLength: this.directory.byteLengths[i] };
    }
  }

  *nodeKeys(): Iterable<string> {
    for (const { key } of this.list()) if (isMetadata(key)) yield key;
  }

  checksumOf(key: StoreKey): ObjectChecksum | undefined {
    const entry = this.#entryOf(key);
    return entry && { crc32: entry.crc32 };
  }

  close(): void {
    this.#source.close();
  }

  #entryOf(key: StoreKey): ZipEntry | undefined {
    const entry = this.#entries.find(key.slice(1));
    return entry === undefined ? undefined : this.#entries.at(entry);
  }

  #read(entry: ZipEntry, range: RangeQuery, options?: StoreOptions): Awaitable<Uint8Array> {
    const { start, end } = boundsOf(range, entry.byteLength);
    if (entry.method === STORED) return this.#stored(entry, start, end, options);
    if (entry.method === DEFLATED) {
      return then(this.#inflate(entry, options), (bytes) => bytes.subarray(start, end));
    }
    throw new RequestError(
      entry.method < 0 ? "the entry is encrypted" : `unknown compression method ${entry.method} of the entry`,
    );
  }

  /** Reads bytes of an entry as they are stored. */
  #stored(entry: ZipEntry, start: number, end: number, options?: StoreOptions): Awaitable<Uint8Array> {
    const { headerOffset, nameLength } = entry;
    const rest = nameLength + EXTRA_LENGTH + end;
    const isTogether = this.#source.isRemote && rest <= MOST_TOGETHER;
    const head = this.#source.read(headerOffset, LOCAL_HEADER_LENGTH + (isTogether ? rest : 0), options);
    return then(head, (bytes) => {
      const before = dataOffset(bytes, headerOffset);
      if (bytes.length >= before + end) return bytes.subarray(before + start, before + end);
      return this.#source.read(headerOffset + before + start, end - start, options);
    });
  }

  #inflate(entry: ZipEntry, options?: StoreOptions): Awaitable<Uint8Array> {
    const { headerOffset, compressedSize, byteLength } = entry;
    const known = this.#inflated.get(headerOffset);
    if (known) return known;
    return then(this.#stored(entry, 0, compressedSize, options), (bytes) => {
      const inflated = inflate(bytes, byteLength);
      // Bytes that are wrong are read again.
      if (crc32(inflated) === entry.crc32) this.#keep(headerOffset, inflated);
      return inflated;
    });
  }

  #keep(headerOffset: number, bytes: Uint8Array): void {
    if (this.#inflated.has(headerOffset)) return;
    this.#inflated.set(headerOffset, bytes);
    this.#inflatedLength += bytes.length;
    for (const [oldest, { length }] of this.#inflated) {
      if (this.#inflatedLength <= MOST_INFLATED) return;
      this.#inflated.delete(oldest);
      this.#inflatedLength -= length;
    }
  }
}

/** Returns where the bytes of an entry begin after its local header. */
function dataOffset(bytes: Uint8Array, headerOffset: number): number {
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (header.length < LOCAL_HEADER_LENGTH || header.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE) {
    throw damaged(`the zip file has no local header at byte ${headerOffset}`, "zip");
  }
  return LOCAL_HEADER_LENGTH + header.readUInt16LE(NAME_LENGTH_AT) + header.readUInt16LE(EXTRA_LENGTH_AT);
}

function inflate(bytes: Uint8Array, byteLength: number): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, byteLength) });
  } catch (cause) {
    throw damaged(`the entry of the zip file cannot be inflated: ${(cause as Error).message}`, "deflate");
  }
}

/** An error of this package without a cause says that the bytes are wrong; any other, that they could not be read. */
const damaged = (message: string, codec: string): ExternalCodecError =>
  new ExternalCodecError(message, { path: "", codec });

/** A store in a zip file (`.zip`, `.ozx`). Its entries have a CRC-32 each, which proves all bytes of a chunk. */

import { closeSync, openSync, readSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import { type Entry, fromFd, type ZipFile } from "yauzl";
import { ExternalCodecError } from "zarr-codecs";
import { boundsOf } from "./bytes.js";
import {
  type ObjectChecksum,
  type OpenedStore,
  type RangeQuery,
  RequestError,
  type StoreEntry,
  StoreError,
  type StoreKey,
} from "./store.js";

const STORED = 0;
const DEFLATED = 8;
/** A local header without the name and extra field that follow it, whose lengths stand in it. */
const LOCAL_HEADER_LENGTH = 30;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;
const NAME_LENGTH_AT = 26;
const EXTRA_LENGTH_AT = 28;

/** What is kept of an entry: less than 150 bytes, for files of a million. */
interface ZipEntry {
  readonly headerOffset: number;
  readonly compressedSize: number;
  readonly byteLength: number;
  readonly method: number;
  readonly crc32: number;
}

/** Opens a zip file. @throws StoreError */
export async function openZip(path: string): Promise<OpenedStore> {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    throw new StoreError(`${path}: ${(error as Error).message}`);
  }
  try {
    return new ZipStore(path, file, await readEntries(file));
  } catch (error) {
    closeSync(file);
    throw new StoreError(`${path} is not a zip file that can be read: ${(error as Error).message}`);
  }
}

/** Reads the central directory. Where a name stands in it twice, the last entry counts, as for other readers. */
function readEntries(file: number): Promise<Map<string, ZipEntry>> {
  return new Promise((done, fail) => {
    const entries = new Map<string, ZipEntry>();
    const read = (zip: ZipFile) => {
      zip.on("error", fail);
      zip.on("end", () => done(entries));
      zip.on("entry", (entry: Entry) => {
        if (!entry.fileName.endsWith("/")) entries.set(entry.fileName, keptOf(entry));
        zip.readEntry();
      });
      zip.readEntry();
    };
    fromFd(file, { lazyEntries: true, autoClose: false }, (error, zip) => (error ? fail(error) : read(zip)));
  });
}

const keptOf = (entry: Entry): ZipEntry => ({
  headerOffset: entry.relativeOffsetOfLocalHeader,
  compressedSize: entry.compressedSize,
  byteLength: entry.uncompressedSize,
  method: entry.isEncrypted() ? -1 : entry.compressionMethod,
  crc32: entry.crc32,
});

class ZipStore implements OpenedStore {
  readonly isReused = true;
  readonly isRemote = false;
  readonly name: string;
  readonly #file: number;
  readonly #entries: ReadonlyMap<string, ZipEntry>;
  readonly #header = Buffer.alloc(LOCAL_HEADER_LENGTH);
  #buffer = new Uint8Array(2 ** 20);

  constructor(name: string, file: number, entries: ReadonlyMap<string, ZipEntry>) {
    this.name = name;
    this.#file = file;
    this.#entries = entries;
  }

  get(key: StoreKey): Uint8Array | undefined {
    const entry = this.#entryOf(key);
    return entry && this.#read(entry, { offset: 0, length: entry.byteLength });
  }

  getRange(key: StoreKey, range: RangeQuery): Uint8Array | undefined {
    const entry = this.#entryOf(key);
    return entry && this.#read(entry, range);
  }

  *list(): Iterable<StoreEntry> {
    for (const [key, { byteLength }] of this.#entries) yield { key, byteLength };
  }

  checksumOf(key: StoreKey): ObjectChecksum | undefined {
    const entry = this.#entryOf(key);
    return entry && { crc32: entry.crc32 };
  }

  close(): void {
    closeSync(this.#file);
  }

  #entryOf(key: StoreKey): ZipEntry | undefined {
    return this.#entries.get(key.slice(1));
  }

  #read(entry: ZipEntry, range: RangeQuery): Uint8Array {
    const { start, end } = boundsOf(range, entry.byteLength);
    const offset = this.#dataOffset(entry);
    if (entry.method === STORED) return this.#readAt(offset + start, end - start);
    if (entry.method === DEFLATED) {
      return inflate(this.#readAt(offset, entry.compressedSize), entry.byteLength).subarray(start, end);
    }
    throw new RequestError(
      entry.method < 0 ? "the entry is encrypted" : `unknown compression method ${entry.method} of the entry`,
    );
  }

  /** Returns where the bytes of an entry begin. */
  #dataOffset({ headerOffset }: ZipEntry): number {
    const count = readSync(this.#file, this.#header, 0, LOCAL_HEADER_LENGTH, headerOffset);
    if (count < LOCAL_HEADER_LENGTH || this.#header.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE) {
      throw damaged(`the zip file has no local header at byte ${headerOffset}`, "zip");
    }
    const lengths = this.#header.readUInt16LE(NAME_LENGTH_AT) + this.#header.readUInt16LE(EXTRA_LENGTH_AT);
    return headerOffset + LOCAL_HEADER_LENGTH + lengths;
  }

  #readAt(offset: number, length: number): Uint8Array {
    if (length > this.#buffer.length) this.#buffer = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const count = readSync(this.#file, this.#buffer, done, length - done, offset + done);
      if (count === 0) break;
      done += count;
    }
    return this.#buffer.subarray(0, done);
  }
}

function inflate(bytes: Uint8Array, byteLength: number): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, byteLength) });
  } catch (cause) {
    throw damaged(
      `the entry of the zip file cannot be inflated: ${(cause as Error).message}`,
      "deflate",
      cause,
    );
  }
}

/** An error of this package says that the bytes are wrong; any other, that they could not be read. */
const damaged = (message: string, name: string, cause?: unknown): ExternalCodecError =>
  new ExternalCodecError(message, { path: "", name }, { cause });

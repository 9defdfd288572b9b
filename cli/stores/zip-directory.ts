/** What the central directory of a zip file says, in memory that threads share: about 60 bytes for an entry. */

import { type Entry, fromRandomAccessReader, RandomAccessReader, type ZipFile } from "yauzl";
import { isPromise } from "../../js/awaitable.js";
import type { ByteSource } from "./bytes.js";
import { retrying } from "./retry.js";

/** An entry of a zip file. */
export interface ZipEntry {
  /** Of its local header. */
  readonly headerOffset: number;
  readonly compressedSize: number;
  readonly byteLength: number;
  /** Negative where the entry is encrypted. */
  readonly method: number;
  readonly crc32: number;
  readonly nameLength: number;
}

/** Plain data, which can be posted to threads. */
export interface ZipColumns {
  readonly count: number;
  /** The names of all entries, one after the other, in UTF-8. */
  readonly names: Uint8Array;
  /** Where each name ends. */
  readonly nameEnds: Float64Array;
  readonly headerOffsets: Float64Array;
  readonly compressedSizes: Float64Array;
  readonly byteLengths: Float64Array;
  readonly methods: Int32Array;
  readonly checksums: Uint32Array;
  /** The numbers of entries plus 1, by the hashes of their names; 0 where there is none. */
  readonly table: Uint32Array;
}

const shared = (byteLength: number) => new SharedArrayBuffer(byteLength);

/** The least length of an entry in the central directory. */
const LEAST_LENGTH = 46;
/** A key has at most 65535 bytes, as names in zip files. */
const MOST_NAME = 2 ** 16;

/** Finds entries by their names. */
export class ZipDirectory {
  readonly columns: ZipColumns;
  readonly #name = new Uint8Array(MOST_NAME);
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();

  constructor(columns: ZipColumns) {
    this.columns = columns;
  }

  /** Returns the number of an entry; undefined where there is none of this name. */
  find(name: string): number | undefined {
    const { read, written } = this.#encoder.encodeInto(name, this.#name);
    if (read < name.length) return undefined;
    const entry = this.columns.table[slotOf(this.columns, this.#name.subarray(0, written))] as number;
    return entry === 0 ? undefined : entry - 1;
  }

  at(entry: number): ZipEntry {
    const { headerOffsets, compressedSizes, byteLengths, methods, checksums } = this.columns;
    const [start, end] = nameBounds(this.columns, entry);
    return {
      headerOffset: headerOffsets[entry] as number,
      compressedSize: compressedSizes[entry] as number,
      byteLength: byteLengths[entry] as number,
      method: methods[entry] as number,
      crc32: checksums[entry] as number,
      nameLength: end - start,
    };
  }

  nameOf(entry: number): string {
    const [start, end] = nameBounds(this.columns, entry);
    // Text is not decoded from shared memory.
    return this.#decoder.decode(this.columns.names.slice(start, end));
  }
}

function nameBounds({ nameEnds }: ZipColumns, entry: number): [number, number] {
  return [entry === 0 ? 0 : (nameEnds[entry - 1] as number), nameEnds[entry] as number];
}

/** Returns where the table has a name, or where it belongs. */
function slotOf(columns: ZipColumns, name: Uint8Array): number {
  const { table } = columns;
  for (let slot = hashOf(name) & (table.length - 1); ; slot = (slot + 1) & (table.length - 1)) {
    const entry = table[slot] as number;
    if (entry === 0 || isNamed(columns, entry - 1, name)) return slot;
  }
}

function isNamed(columns: ZipColumns, entry: number, name: Uint8Array): boolean {
  const [start, end] = nameBounds(columns, entry);
  if (end - start !== name.length) return false;
  for (let i = 0; i < name.length; i++) if (columns.names[start + i] !== name[i]) return false;
  return true;
}

/** FNV-1a, mixed: neighbours in the table have little in common. */
function hashOf(name: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of name) hash = Math.imul(hash ^ byte, 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
}

/** Gathers entries. */
class Builder {
  readonly #columns: { -readonly [name in keyof ZipColumns]: ZipColumns[name] };
  /** How much of the memory for names is used. */
  #length = 0;

  /** @param most how many entries there are at most */
  constructor(most: number) {
    this.#columns = {
      count: 0,
      names: new Uint8Array(shared(2 ** 16)),
      nameEnds: new Float64Array(shared(8 * most)),
      headerOffsets: new Float64Array(shared(8 * most)),
      compressedSizes: new Float64Array(shared(8 * most)),
      byteLengths: new Float64Array(shared(8 * most)),
      methods: new Int32Array(shared(4 * most)),
      checksums: new Uint32Array(shared(4 * most)),
      table: new Uint32Array(shared(4 * 2 ** Math.ceil(Math.log2(2 * most + 1)))),
    };
  }

  /** Adds an entry. Where a name stands in the directory twice, the last entry counts, as for other readers. */
  add(name: Uint8Array, entry: Entry): void {
    const { table, headerOffsets, compressedSizes, byteLengths, methods, checksums } = this.#columns;
    const slot = slotOf(this.#columns, name);
    const known = table[slot] as number;
    const number = known === 0 ? this.#append(name) : known - 1;
    table[slot] = number + 1;
    headerOffsets[number] = entry.relativeOffsetOfLocalHeader;
    compressedSizes[number] = entry.compressedSize;
    byteLengths[number] = entry.uncompressedSize;
    methods[number] = entry.isEncrypted() ? -1 : entry.compressionMethod;
    checksums[number] = entry.crc32;
  }

  end(): ZipColumns {
    return { ...this.#columns, names: this.#columns.names.subarray(0, this.#length) };
  }

  #append(name: Uint8Array): number {
    const end = this.#length + name.length;
    const { names, nameEnds } = this.#columns;
    if (end > names.length) {
      this.#columns.names = new Uint8Array(shared(2 * end));
      this.#columns.names.set(names);
    }
    this.#columns.names.set(name, this.#length);
    this.#length = end;
    nameEnds[this.#columns.count] = end;
    return this.#columns.count++;
  }
}

/** At the end of names of folders. */
const SLASH = 47;

/** How much of a directory is read at once: two reads for each entry would take minutes for a million of them. */
const BLOCK = 2 ** 22;

/** Reads a file block by block. */
class BlockReader extends RandomAccessReader {
  readonly #source: ByteSource;
  #block: Uint8Array = new Uint8Array();
  #offset = 0;

  constructor(source: ByteSource) {
    super();
    this.#source = source;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const copy = () => {
      const start = position - this.#offset;
      const part = this.#block.subarray(start, start + length);
      buffer.set(part, offset);
      callback(part.length < length ? new Error("the file ends early") : null);
    };
    if (position >= this.#offset && position + length <= this.#offset + this.#block.length) {
      copy();
      return;
    }
    const keep = (bytes: Uint8Array) => {
      this.#offset = position;
      this.#block = bytes; // Stays what it is until the next one is read.
    };
    const read = () => this.#source.read(position, Math.max(BLOCK, length));
    const answer = this.#source.isRemote ? retrying(async () => read()) : read();
    if (isPromise(answer)) {
      answer.then(keep).then(copy, callback);
    } else {
      keep(answer);
      copy();
    }
  }
}

/** Reads the central directory of a zip file. @throws Error whose message says why it cannot be read */
export function readDirectory(source: ByteSource): Promise<ZipColumns> {
  return new Promise((done, fail) => {
    // Names as bytes: one that no file may have does not hide the others.
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false };
    fromRandomAccessReader(new BlockReader(source), source.byteLength, options, (error, zip) => {
      if (error) fail(error);
      else readEntries(zip, source.byteLength, done, fail);
    });
  });
}

function readEntries(
  zip: ZipFile,
  byteLength: number,
  done: (columns: ZipColumns) => void,
  fail: (error: Error) => void,
): void {
  const { entryCount } = zip;
  if (entryCount * LEAST_LENGTH > byteLength) {
    fail(new Error(`it says that it has ${entryCount} entries, more than it has room for`));
    return;
  }
  const builder = new Builder(entryCount);
  zip.on("error", fail);
  zip.on("end", () => done(builder.end()));
  // Most entries are there at once: each would be read by a call inside of that for the one before.
  let [isReading, isWanted] = [false, false];
  const readOn = () => {
    isWanted = true;
    if (isReading) return;
    isReading = true;
    while (isWanted) {
      isWanted = false;
      zip.readEntry();
    }
    isReading = false;
  };
  zip.on("entry", (entry: Entry) => {
    const name = entry.fileName as unknown as Uint8Array;
    if (name.at(-1) !== SLASH) builder.add(name, entry);
    readOn();
  });
  readOn();
}

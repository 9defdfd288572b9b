// Writes zip files of very many stored entries, in the form that Python's zipfile gives them (with its Zip64 end), in seconds.

import { closeSync, openSync, writeSync } from "node:fs";
import { crc32 } from "@node-rs/crc32";

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;

/** The fields that local and central headers share, from the needed version on. */
function writeFields(header, at, bytes, nameLength) {
  header.writeUInt16LE(20, at);
  header.writeUInt16LE(0x21, at + 8); // 1980-01-01
  header.writeUInt32LE(crc32(bytes), at + 10);
  header.writeUInt32LE(bytes.length, at + 14);
  header.writeUInt32LE(bytes.length, at + 18);
  header.writeUInt16LE(nameLength, at + 22);
}

function localHeader(name, bytes) {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL, 0);
  writeFields(header, 4, bytes, name.length);
  return Buffer.concat([header, name, bytes]);
}

function centralHeader(name, bytes, offset) {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(CENTRAL, 0);
  header.writeUInt16LE(20, 4);
  writeFields(header, 6, bytes, name.length);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, name]);
}

function end(count, size, offset) {
  const bytes = Buffer.alloc(56 + 20 + 22);
  bytes.writeUInt32LE(END_64, 0);
  bytes.writeBigUInt64LE(44n, 4);
  bytes.writeUInt16LE(45, 12);
  bytes.writeUInt16LE(45, 14);
  bytes.writeBigUInt64LE(BigInt(count), 24);
  bytes.writeBigUInt64LE(BigInt(count), 32);
  bytes.writeBigUInt64LE(BigInt(size), 40);
  bytes.writeBigUInt64LE(BigInt(offset), 48);
  bytes.writeUInt32LE(LOCATOR_64, 56);
  bytes.writeBigUInt64LE(BigInt(offset + size), 64);
  bytes.writeUInt32LE(1, 72);
  bytes.writeUInt32LE(END, 76);
  bytes.writeUInt16LE(0xffff, 84);
  bytes.writeUInt16LE(0xffff, 86);
  bytes.writeUInt32LE(size, 88);
  bytes.writeUInt32LE(offset, 92);
  return bytes;
}

/** Writes entries, pairs of a name and its bytes, to a zip file below 4 GiB. */
export function writeZip(path, entries) {
  const file = openSync(path, "w");
  const central = [];
  let [pending, gathered, written, count] = [[], 0, 0, 0];
  const flush = () => {
    writeSync(file, Buffer.concat(pending));
    [pending, gathered] = [[], 0];
  };
  for (const [key, bytes] of entries) {
    const name = Buffer.from(key);
    const local = localHeader(name, bytes);
    central.push(centralHeader(name, bytes, written));
    pending.push(local);
    gathered += local.length;
    written += local.length;
    count++;
    if (gathered > 2 ** 20) flush();
  }
  flush();
  const directory = Buffer.concat(central);
  for (const part of [directory, end(count, directory.length, written)]) writeSync(file, part);
  closeSync(file);
}

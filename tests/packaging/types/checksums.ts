// Compiled, never run: checksums.

import {
  backend,
  type ChecksumMismatchError,
  Crc32c,
  crc32c,
  crc32cCombine,
  decodeCrc32c,
  encodeCrc32c,
  init,
} from "zarr-codecs";
import { type Equal, expectTrue } from "./equal.js";

declare const bytes: Uint8Array;

const crc = crc32c(bytes, crc32c(new ArrayBuffer(4)));
expectTrue<Equal<typeof crc, number>>();
const digest = new Crc32c()
  .update(bytes)
  .update(new DataView(new ArrayBuffer(4)))
  .digest();
expectTrue<Equal<typeof digest, number>>();
const joined = crc32cCombine(crc, digest, 4);
expectTrue<Equal<typeof joined, number>>();
const appended = encodeCrc32c(bytes);
expectTrue<Equal<typeof appended, Uint8Array<ArrayBuffer>>>();
const stripped: Uint8Array = decodeCrc32c(appended.buffer, { verify: false });
void stripped;
decodeCrc32c(bytes, { verify: (error) => expectTrue<Equal<typeof error, ChecksumMismatchError>>() });
// @ts-expect-error: not bytes
encodeCrc32c("123456789");
// @ts-expect-error: no such value
decodeCrc32c(bytes, { verify: "never" });
// @ts-expect-error: not bytes
crc32c("123456789");
// @ts-expect-error: not a number
crc32c(bytes, 1n);
// @ts-expect-error: not bytes
new Crc32c().update([1]);
// @ts-expect-error: the length is missing
crc32cCombine(crc, digest);

const started = init();
expectTrue<Equal<typeof started, Promise<void>>>();
const build = backend();
expectTrue<Equal<typeof build, "simd" | "portable">>();

// Memory that another thread writes during calls, in Node and in a page.

import { crc32c, createCodecChain, decode, repairFlippedBit } from "zarr-codecs";
import { expect, expectWorks, metadata, numbers, outcomeOf } from "./hostile-helpers.mjs";

const ROUNDS = 300;

/** `startWriter(buffer)` starts a thread that writes, and returns a function that ends it. Throws where the package fails. */
export async function sharedMemoryThatChanges(startWriter) {
  for (const length of [5, 1000, 300_000]) {
    const chain = createCodecChain(metadata(length));
    const encoded = chain.encode(numbers(length));
    const shared = new Uint8Array(new SharedArrayBuffer(encoded.length));
    const out = new Uint16Array(new SharedArrayBuffer(2 * length));
    shared.set(encoded);
    const stop = await startWriter(shared.buffer);
    const codes = new Set();
    // Until damage was seen: the thread needs some time on a busy machine.
    for (let round = 0; round < ROUNDS || !codes.has("checksum_mismatch"); round++) {
      for (const call of [
        () => chain.decode(shared),
        () => chain.decode(shared, { copy: true }),
        () => chain.decode(shared, { out }),
        () => chain.encode(new Uint16Array(shared.buffer, 0, length)),
        () => crc32c(shared),
        () => decode(shared, { ...metadata(length), dataType: "int16" }, { inPlace: true }),
      ]) {
        const outcome = outcomeOf(call);
        codes.add(outcome?.code);
        if (outcome?.diagnosis?.code === "flipped_bit") outcomeOf(() => repairFlippedBit(shared, outcome));
      }
    }
    await stop();
    for (const code of codes) expect([undefined, "checksum_mismatch"].includes(code), `the error ${code}`);
    expectWorks();
  }
}

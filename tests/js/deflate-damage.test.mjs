// Chunks of gzip and zlib that are cut short, or have bytes appended: what is wrong, in the right direction, whatever decoder is
// used. What a damaged trailer states is never believed.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deflateSync, gzipSync } from "node:zlib";
import Gzip from "numcodecs/gzip";
import Zlib from "numcodecs/zlib";
import { ChunkLengthError, ExternalCodecError, loadCodecChain } from "zarr-codecs";

const DATA = Uint8Array.from({ length: 5000 }, (_, i) => (i * i) >> 5);
const FORMATS = {
  gzip: { encoded: new Uint8Array(gzipSync(DATA)), trailer: 8, Codec: Gzip },
  zlib: { encoded: new Uint8Array(deflateSync(DATA)), trailer: 4, Codec: Zlib },
};

for (const [name, { encoded, trailer, Codec }] of Object.entries(FORMATS)) {
  // Decoders of numcodecs ignore what follows the data, and allocate what a trailer states.
  for (const codecs of [undefined, new Map([[name, () => Codec]])]) {
    for (const verify of [true, false]) {
      describe(`${name}, decoded by ${codecs ? "numcodecs" : "the host"}, verify: ${verify}`, () => {
        const load = (shape = DATA.length) =>
          loadCodecChain({ dataType: "uint8", shape: [shape], codecs: ["bytes", name] }, { codecs, verify });

        test("is decoded whole", async () => {
          assert.deepEqual((await (await load()).decode(encoded)).data, DATA);
        });

        test("cut short", async () => {
          const chain = await load();
          for (let missing = 1; missing < encoded.length - 20; missing += missing < 20 ? 1 : 97) {
            const cut = encoded.slice(0, -missing);
            const expected =
              missing <= trailer ? "truncated" : "deflated data without an end, probably truncated";
            await assert.rejects(chain.decode(cut), {
              constructor: ExternalCodecError,
              message: `codecs[1]: ${name}: ${expected} at byte ${cut.length}`,
            });
          }
        });

        test("with bytes appended", async () => {
          const chain = await load();
          for (const extra of [1, 3, 4, 7, 8, 9, 100, 5000]) {
            for (const byte of [0, 0x1f, 0xff]) {
              const longer = new Uint8Array(encoded.length + extra).fill(byte);
              longer.set(encoded);
              await assert.rejects(chain.decode(longer), {
                constructor: ExternalCodecError,
                message: `codecs[1]: ${name}: trailing bytes at byte ${encoded.length}`,
              });
            }
          }
        });

        test("of a chunk of another length", async () => {
          for (const expected of [4999, 5001, 6000]) {
            // gzip states its length, so that no other decoder is called.
            const ours = expected < 5000 ? "encoded bytes hold at least" : "encoded bytes hold";
            const origin = name === "gzip" ? ours : "decoder returned";
            await assert.rejects((await load(expected)).decode(encoded), {
              constructor: ChunkLengthError,
              message: `codecs[1]: ${name}: ${origin} 5000 decoded bytes, expected ${expected}`,
              expected,
              actual: 5000,
            });
          }
        });
      });
    }
  }
}

test("gzip whose trailer states another length", async () => {
  const chain = await loadCodecChain({ dataType: "uint8", shape: [5000], codecs: ["bytes", "gzip"] });
  const { encoded } = FORMATS.gzip;
  for (let at = encoded.length - 4; at < encoded.length; at += 1) {
    const wrong = encoded.slice();
    wrong[at] ^= 0x5a;
    const message = `codecs[1]: gzip: trailer with a wrong length at byte ${encoded.length - 4}`;
    await assert.rejects(chain.decode(wrong), { constructor: ExternalCodecError, message });
  }
});

test("gzip of several members, also cut short", async () => {
  const members = [gzipSync(DATA.subarray(0, 3000)), gzipSync(DATA.subarray(3000))];
  const encoded = new Uint8Array(Buffer.concat(members));
  const chain = await loadCodecChain({ dataType: "uint8", shape: [5000], codecs: ["bytes", "gzip"] });
  assert.deepEqual((await chain.decode(encoded)).data, DATA);
  for (const missing of [1, 8, 9, 50]) {
    await assert.rejects(chain.decode(encoded.slice(0, -missing)), (error) => {
      assert.ok(error instanceof ExternalCodecError, error.stack);
      assert.match(
        error.message,
        /: gzip: (truncated|deflated data without an end, probably truncated) at byte \d+$/,
      );
      return true;
    });
  }
});

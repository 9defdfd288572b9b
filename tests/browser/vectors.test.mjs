// The package in Chromium, as it is installed: every chunk in both directions, an error, and a stream.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readVectors } from "../js/helpers.mjs";
import { ARRAY_COUNTS } from "../js/vectors.mjs";
import { openPage } from "./page.mjs";

describe("in Chromium", () => {
  let browser;
  let tab;
  let problems;

  before(async () => {
    ({ browser, tab, problems } = await openPage());
  });

  after(() => browser?.close());

  for (const [file, arrays] of Object.entries(ARRAY_COUNTS)) {
    test(`the chunks of ${file} decode and encode bit for bit`, async (t) => {
      const seen = await tab.evaluate(async (file) => {
        const { createCodecChain } = await import("zarr-codecs");
        const { chunksOf, sameBytes, valueOfHalf } = await import("/js/vectors.mjs");
        const vectors = await (await fetch(`/vectors/${file}`)).json();
        const seen = { arrays: vectors.arrays.length, chunks: 0, compared: 0, wrong: [] };

        for (const { where, metadata, encoded, components } of chunksOf(vectors)) {
          const chain = createCodecChain(metadata, { float16: "bits" });
          const compare = (what, actual, expected) => {
            seen.compared += 1;
            if (!sameBytes(actual, expected)) seen.wrong.push(`${where}: ${what}`);
          };
          const misaligned = new Uint8Array(encoded.length + 1).subarray(1);
          misaligned.set(encoded);
          const shared = new Uint8Array(new SharedArrayBuffer(encoded.length));
          shared.set(encoded);
          for (const [place, given] of Object.entries({ aligned: encoded, misaligned, shared })) {
            compare(place, chain.decode(given).data, components);
            compare(
              `${place}, into out`,
              chain.decode(given, { out: new components.constructor(components.length) }).data,
              components,
            );
            compare(`${place}, afterwards`, given, encoded);
          }
          compare("encoded", chain.encode(components), encoded);
          compare("in place", chain.decode(misaligned, { inPlace: true }).data, components);

          if (chain.dataType === "float16") {
            const values = Float32Array.from(components, valueOfHalf);
            for (const [float16, ArrayType] of [
              ["float32", Float32Array],
              ["auto", Float16Array],
            ]) {
              const { data } = createCodecChain(metadata, { float16 }).decode(encoded);
              const isSame =
                data.constructor === ArrayType && data.every((value, i) => Object.is(value, values[i]));
              compare(float16, Uint8Array.of(isSame), Uint8Array.of(1));
            }
            compare("encoded from Float16Array", chain.encode(new Float16Array(components.buffer)), encoded);
          }
          seen.chunks += 1;
        }
        return seen;
      }, file);
      t.diagnostic(`${seen.arrays} arrays, ${seen.chunks} chunks, ${seen.compared} comparisons`);
      assert.deepEqual(seen.wrong, []);
      assert.equal(seen.arrays, arrays);
      assert.equal(seen.chunks, readVectors(file).arrays.flatMap(({ chunks }) => chunks).length);
      assert.ok(seen.compared >= 11 * seen.chunks);
    });
  }

  test("a wrong checksum throws an error with its class and numbers", async () => {
    const error = await tab.evaluate(async () => {
      const { ChecksumMismatchError, createCodecChain } = await import("zarr-codecs");
      const chain = createCodecChain({ dataType: "uint8", shape: [9], codecs: ["bytes", "crc32c"] });
      const encoded = chain.encode(new TextEncoder().encode("123456789"));
      encoded.fill(0, 9);
      try {
        return chain.decode(encoded);
      } catch (error) {
        const { code, stored, computed, byteLength, message } = error;
        return {
          isOfClass: error instanceof ChecksumMismatchError,
          code,
          stored,
          computed,
          byteLength,
          message,
        };
      }
    });
    const { message, ...fields } = error;
    assert.equal(message, "chunk is corrupt: crc32c stored 0x00000000, computed 0xe3069283 over 9 bytes");
    assert.deepEqual(fields, {
      isOfClass: true,
      code: "checksum_mismatch",
      stored: 0,
      computed: 0xe3069283,
      byteLength: 9,
    });
  });

  test("a stream verifies a response's body", async () => {
    const outcome = await tab.evaluate(async () => {
      const { Crc32cDecoderStream, Crc32cEncoderStream } = await import("zarr-codecs");
      const through = async (body, stream) => {
        const pieces = [];
        const reader = new Response(body).body.pipeThrough(stream).getReader();
        for (let read = await reader.read(); !read.done; read = await reader.read())
          pieces.push(...read.value);
        return Uint8Array.from(pieces);
      };
      const encoded = await through("123456789", new Crc32cEncoderStream());
      const decoded = await through(encoded, new Crc32cDecoderStream());
      encoded[0] ^= 1;
      const damaged = await through(encoded, new Crc32cDecoderStream()).catch((error) => error.name);
      return { checksum: [...encoded.slice(9)], text: new TextDecoder().decode(decoded), damaged };
    });
    assert.deepEqual(outcome, {
      checksum: [0x83, 0x92, 0x06, 0xe3],
      text: "123456789",
      damaged: "ChecksumMismatchError",
    });
  });

  test("workers share one compiled module", async () => {
    const checksum = await tab.evaluate(async () => {
      const path = "/node_modules/zarr-codecs/dist";
      const module = await WebAssembly.compile(await (await fetch(`${path}/zarr_codecs.wasm`)).arrayBuffer());
      const source = `
        import { crc32c, initSync } from "${location.origin}${path}/index.js";
        onmessage = ({ data }) => {
          initSync(data);
          postMessage(crc32c(new TextEncoder().encode("123456789")));
        };`;
      const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      const worker = new Worker(url, { type: "module" });
      return new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = () => reject(new Error("the worker failed"));
        worker.postMessage(module);
      });
    });
    assert.equal(checksum, 0xe3069283);
  });

  test("the console stays empty", () => {
    assert.deepEqual(problems, []);
  });
});

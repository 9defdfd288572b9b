// Slow: many tabs of a browser.
//
// "Your own chunk": what is wrong with metadata and chunks, options, examples.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CHAINS, colours, ownChunkOf, vector } from "./own-chunk.mjs";
import { expectAccessible, usePage } from "./page.mjs";
import { hex } from "./sections.mjs";

describe("your own chunk", () => {
  const page = usePage();

  async function openSection(options) {
    const tab = await page.open("", { acceptDownloads: true, ...options });
    const ownChunk = ownChunkOf(tab);
    await ownChunk.settled();
    return { tab, ...ownChunk };
  }

  test("a syntax error in the metadata is reported with its place", async () => {
    const { paste, error, metadata } = await openSection();
    await paste('{ "dataType": "int8",\n  "shape": [4,\n}');
    assert.match(await error.textContent(), /SyntaxError: Value expected.*line 3, column 1 /);
    assert.equal(await metadata.getAttribute("aria-invalid"), "true");
  });

  test("invalid metadata are reported with their path and place, and checked while they are corrected", async () => {
    const { paste, pick, error, metadata, button } = await openSection();
    await pick(new Uint8Array(3));
    await paste(
      '{ "dataType": "float32", "shape": [2],\n "codecs": [{ "name": "bytes", "configuration": { "endian": "middle" } }] }',
    );
    const text = await error.textContent();
    assert.match(text, /InvalidMetadataError: codecs\[0\]\.configuration\.endian: expected .* got "middle"/);
    assert.match(text, /invalid_metadata.*line 2/);
    await button("Show it in the metadata").click();
    const selected = await metadata.evaluate((text) =>
      text.value.slice(text.selectionStart, text.selectionEnd),
    );
    assert.equal(selected, '"middle"');

    await metadata.press("Backspace");
    await metadata.pressSequentially('"big"');
    await error.filter({ hasText: "ChunkLengthError" }).waitFor();
    assert.equal(await metadata.getAttribute("aria-invalid"), "false");
  });

  test("a wrong checksum: the stored and the computed one", async () => {
    const { open, choose, error, button } = await openSection();
    const { metadata, encoded } = vector("int16-big-crc32c-1d");
    const stored = Buffer.from(encoded).readUInt32LE(encoded.length - 4);
    const broken = Buffer.from(encoded);
    broken[broken.length - 1] ^= 0x80;
    await open({ metadata, encoded: broken });
    const text = await error.textContent();
    assert.match(text, /ChecksumMismatchError/);
    assert.match(text, /checksum_mismatch/);
    assert.match(text, new RegExp(`stored${hex((stored ^ 0x80000000) >>> 0)}`));
    assert.match(text, new RegExp(`computed${hex(stored)}`));
    assert.equal(await button("Download").isVisible(), false);

    await choose("verify", "false");
    assert.equal(await error.count(), 0);
  });

  test("a chunk that is too short", async () => {
    const { open, error } = await openSection();
    const { metadata, encoded } = vector("uint16-big-1d");
    await open({ metadata, encoded: encoded.slice(1) });
    const text = await error.textContent();
    assert.match(text, /ChunkLengthError/);
    assert.match(text, new RegExp(`expected${encoded.length}actual${encoded.length - 1}`));
  });

  test("a damaged chunk of zarr-python's default codecs: the codec and its place", async () => {
    const { tab, open, error, button } = await openSection();
    const { metadata, encoded } = vector("default-float32", CHAINS);
    await open({ metadata, encoded: encoded.slice(0, encoded.length / 2) });
    const text = await error.textContent();
    assert.match(text, /^ExternalCodecError: codecs\[1\]: zstd: .*byte/);
    assert.match(text, /codeczstd.*pathcodecs\[1\].*line \d+/);
    await button("Show it in the metadata").click();
    assert.match(await tab.evaluate(() => String(getSelection())), /"name": "zstd"/);
  });

  test("what is said of chunks without a checksum, and with one inside the compressor", async () => {
    const { section, open } = await openSection();
    const unchecked = /decoded \w+ of .*store no checksum, so damage to the chunk can go unnoticed/;
    await open(vector("default-int16", CHAINS));
    assert.match(await section.textContent(), unchecked);
    for (const name of ["zstd-9-checksum", "gzip-9", "places-crc32c-blosc"]) {
      await open(vector(name, CHAINS));
      assert.match(await section.textContent(), /decoded \w+ of /);
      assert.doesNotMatch(await section.textContent(), unchecked, name);
    }
  });

  test("metadata of a codec that nobody provides, without a chunk", async () => {
    const { paste, error } = await openSection();
    await paste({ dataType: "uint8", shape: [4], codecs: ["bytes", "zfp"] });
    assert.match(await error.textContent(), /^InvalidMetadataError: codecs\[1\].*"zfp"/);
  });

  test("what is no metadata at all is an error", async () => {
    const { paste, error } = await openSection();
    for (const text of ["null", "5", '{ "zarr_format": 3, "node_type": "group" }']) {
      await paste(text);
      assert.match(await error.textContent(), /^InvalidMetadataError: /, text);
    }
  });

  test("the option missingEndian", async () => {
    const { open, choose, error, row } = await openSection();
    const { metadata, encoded, components } = vector("uint16-big-1d");
    await open({ metadata: { ...metadata, codecs: ["bytes"] }, encoded });
    assert.match(await error.textContent(), /InvalidMetadataError/);
    await choose("missingEndian", "big");
    assert.deepEqual((await row({ columns: 49 })).map(Number), [...components.slice(0, 12)]);
  });

  test("the option invalidBool", async () => {
    const { open, choose, error, row } = await openSection();
    await open({ metadata: { dataType: "bool", shape: [3], codecs: ["bytes"] }, encoded: [0, 1, 2] });
    assert.match(await error.textContent(), /InvalidElementError.*index2value2/);
    await choose("invalidBool", "coerce");
    assert.deepEqual(await row({ columns: 3 }), ["false", "true", "true"]);
  });

  test("the option float16", async () => {
    const { open, choose, row } = await openSection();
    const half = vector("float16-big-1d");
    await open(half);
    await choose("float16", "bits");
    assert.deepEqual((await row({ columns: 49 })).map(Number), [...half.components.slice(0, 12)]);
  });

  test("a dropped file is decoded", async () => {
    const { tab, section, paste, settled } = await openSection();
    const { metadata, encoded } = vector("int32-big-crc32c-3d");
    await paste(metadata);
    const transfer = await tab.evaluateHandle(
      (bytes) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(bytes)], "dropped"));
        return transfer;
      },
      [...encoded],
    );
    await section.locator(".dropzone").dispatchEvent("drop", { dataTransfer: transfer });
    await section.getByText("dropped,").waitFor();
    await settled();
    assert.match(await section.textContent(), /decoded Int32Array of 12/);
  });

  test("examples: a picture, a line, a histogram, complex numbers by magnitude and phase", async () => {
    const { section, button, settled } = await openSection();
    const picture = section.locator(".own-chunk-picture");
    await button("spectrum").click();
    await section.getByText("Float32Array of 1,280").waitFor();
    await settled();
    const magnitude = await colours(picture);
    assert.ok(magnitude > 20, `${magnitude} colours`);
    assert.ok((await colours(section.getByRole("img", { name: /^Histogram/ }).locator("canvas"))) > 1);
    await section.getByLabel("Seen as").selectOption("phase");
    await section.getByRole("img", { name: "32 rows and 20 columns, phase" }).waitFor();
    await button("pressure").click();
    await section.getByRole("img", { name: "The value of each element" }).waitFor();
    await button("land_mask").click();
    await section.getByRole("img", { name: "36 rows and 72 columns, mask" }).waitFor();
    await settled();
    assert.equal(await colours(picture), 2);
  });

  test("metadata that are typed before the first example arrives are kept", async () => {
    const { tab, metadata } = await openSection();
    let answer;
    const requested = new Promise((resolve) => {
      tab.route("**/sample.zarr/temperature/c/**", async (route) => {
        await new Promise((arrived) => {
          answer = arrived;
          resolve();
        });
        await route.continue();
      });
    });
    await tab.reload();
    await requested;
    await metadata.fill('{ "typed": true }');
    const arrived = tab.waitForResponse("**/sample.zarr/temperature/c/**");
    answer();
    await (await arrived).finished();
    // What the page requests now, it gets after that.
    await tab.evaluate(async () => (await fetch(location.href)).blob());
    assert.equal(await metadata.inputValue(), '{ "typed": true }');
  });

  test("an example that cannot be loaded is an error", async () => {
    const { tab, button, error } = await openSection({ mayFail: true });
    await tab.route("**/sample.zarr/spectrum/c/**", (route) => route.abort());
    await button("spectrum").click();
    await error.filter({ hasText: "Failed to fetch" }).waitFor();
  });

  test("the keyboard alone: an example, its values, a download", async () => {
    const { tab, section, button, download } = await openSection();
    await button("elevation").focus();
    await tab.keyboard.press("Enter");
    await section.getByText("Int16Array of 1,152").waitFor();
    await section.getByLabel("From row").focus();
    await tab.keyboard.press("ControlOrMeta+a");
    await tab.keyboard.type("5");
    await section.getByText("Shown: rows 5 to 20 of 24").waitFor();
    await button("Download").focus();
    const bytes = await download(() => tab.keyboard.press("Space"));
    assert.equal(bytes.length, 24 * 48 * 2 + 4);
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`accessible, and no wider than a telephone, ${colorScheme}`, async () => {
      const { tab, section, metadata, error } = await openSection({
        colorScheme,
        viewport: { width: 360, height: 740 },
      });
      await section.locator(".badge.good").waitFor();
      await expectAccessible(tab, "#own-chunk");
      await metadata.fill("{");
      await error.waitFor();
      await expectAccessible(tab, "#own-chunk");
      assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth), 360);
    });
  }
});

// The published @vivjs/loaders, with our codecs in the registry of its own copy of zarrita.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { loadOmeZarr } from "@vivjs/loaders";
import { register } from "zarr-codecs/zarrita";
import * as zarrita from "zarrita";
import { assertPlane, flipBit, isMismatch, serveCells } from "./cells.mjs";
import { zarritaOf } from "./zarrita-of.mjs";

const theirs = await zarritaOf("@vivjs/loaders");
const intact = await serveCells();
let flipped;
const broken = await serveCells((files) => {
  flipped = flipBit(files);
});

/** Opens an image. Returns its levels. */
const levelsOf = async (url) => (await loadOmeZarr(url, { type: "multiscales" })).data;
const rasterOf = async (url, level, c) =>
  (await (await levelsOf(url))[level].getRaster({ selection: { c, z: 1 } })).data;

test("it has its own copy of zarrita, which registering in ours does not affect", async (t) => {
  assert.notEqual(theirs.registry, zarrita.registry);
  assert.match(theirs.version, /^0\.5\./);
  t.after(register(zarrita.registry));
  const rasters = [await rasterOf(broken, 2, 1), await rasterOf(intact, 2, 1)];
  assert.notDeepEqual(...rasters); // Wrong pixels, without an error.
});

describe("with our codecs in their registry", () => {
  let unregister;
  before(() => {
    unregister = register(theirs.registry);
  });
  after(() => unregister());

  test("valid data is decoded correctly", async () => {
    for (const channel of [0, 1, 2]) assertPlane(await rasterOf(intact, 2, channel), 2, channel);
    assertPlane(await rasterOf(intact, 0, 1), 0, 1);
  });

  test("a flipped bit is an error only in its chunk", async () => {
    await assert.rejects(rasterOf(broken, 2, 1), isMismatch);
    assertPlane(await rasterOf(broken, 2, 2), 2, 2);
    const [, , level] = await levelsOf(broken);
    const tile = (x, y) => level.getTile({ x, y, selection: { c: 1, z: 1 } });
    await assert.rejects(tile(flipped.x, flipped.y), isMismatch);
    assert.equal((await tile(flipped.x, flipped.y + 1)).data.length, level.tileSize ** 2);
  });
});

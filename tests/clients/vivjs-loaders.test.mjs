// @vivjs/loaders, as npm has it: with a zarrita of its own, whose registry gets our codecs.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { loadOmeZarr } from "@vivjs/loaders";
import { register } from "zarr-codecs/register";
import * as zarrita from "zarrita";
import { assertPlane, flipBit, isMismatch, serveCells } from "./cells.mjs";
import { zarritaOf } from "./zarrita-of.mjs";

const theirs = await zarritaOf("@vivjs/loaders");
const intact = await serveCells();
let flipped;
const broken = await serveCells((files) => {
  flipped = flipBit(files);
});

/** Opens an image; gives its levels. */
const levelsOf = async (url) => (await loadOmeZarr(url, { type: "multiscales" })).data;
const rasterOf = async (url, level, c) =>
  (await (await levelsOf(url))[level].getRaster({ selection: { c, z: 1 } })).data;

test("their zarrita is a copy of its own, which registering in ours does not reach", async () => {
  assert.notEqual(theirs.registry, zarrita.registry);
  assert.match(theirs.version, /^0\.5\./);
  const unregister = register(zarrita.registry);
  await rasterOf(broken, 2, 1); // Wrong pixels, without an error.
  unregister();
});

describe("with our codecs in their registry", () => {
  let unregister;
  before(() => {
    unregister = register(theirs.registry);
  });
  after(() => unregister());

  test("right data stay right", async () => {
    for (const channel of [0, 1, 2]) assertPlane(await rasterOf(intact, 2, channel), 2, channel);
    assertPlane(await rasterOf(intact, 0, 1), 0, 1);
  });

  test("a flipped bit is an error where it is, and nowhere else", async () => {
    await assert.rejects(rasterOf(broken, 2, 1), isMismatch);
    assertPlane(await rasterOf(broken, 2, 2), 2, 2);
    const [, , level] = await levelsOf(broken);
    const tile = (x, y) => level.getTile({ x, y, selection: { c: 1, z: 1 } });
    await assert.rejects(tile(flipped.x, flipped.y), isMismatch);
    assert.equal((await tile(flipped.x, flipped.y + 1)).data.length, level.tileSize ** 2);
  });
});

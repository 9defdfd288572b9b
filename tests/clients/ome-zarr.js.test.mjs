// ome-zarr.js, as npm has it: with a zarrita of its own, whose registry gets our codecs.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { NgffImage } from "ome-zarr.js";
import { register } from "zarr-codecs/register";
import * as zarrita from "zarrita";
import { assertPlane, flipBit, isMismatch, serveCells } from "./cells.mjs";
import { zarritaOf } from "./zarrita-of.mjs";

const theirs = await zarritaOf("ome-zarr.js");
const intact = await serveCells();
const broken = await serveCells(flipBit);

/** Renders all channels of a level, at z = 1. */
async function render(url, level = "2") {
  const image = await NgffImage.load(url);
  return image.renderRgba({ arrayPathOrIndex: level, slices: { z: 1 } });
}
async function planeOf(url, level, channel) {
  const array = await (await NgffImage.load(url)).openArray(level);
  return (await theirs.get(array, [channel, 1, null, null])).data;
}

test("their zarrita is a copy of its own, which registering in ours does not reach", async () => {
  assert.notEqual(theirs.registry, zarrita.registry);
  assert.match(theirs.version, /^0\.5\./);
  const unregister = register(zarrita.registry);
  const pictures = [await render(broken), await render(intact)];
  assert.notDeepEqual(pictures[0].data, pictures[1].data); // Wrong pixels, without an error.
  unregister();
});

describe("with our codecs in their registry", () => {
  let unregister;
  before(() => {
    unregister = register(theirs.registry);
  });
  after(() => unregister());

  test("right data stay right", async () => {
    for (const channel of [0, 1, 2]) assertPlane(await planeOf(intact, "2", channel), 2, channel);
    assertPlane(await planeOf(intact, "0", 1), 0, 1);
  });

  test("pictures are the same as without", async () => {
    const ours = await render(intact);
    unregister();
    const alone = await render(intact);
    unregister = register(theirs.registry);
    assert.deepEqual(ours, alone);
    assert.ok(new Set(ours.data).size > 100, "a picture of something");
  });

  test("a flipped bit is an error where it is, and nowhere else", async () => {
    await assert.rejects(render(broken), isMismatch);
    await assert.rejects(planeOf(broken, "2", 1), isMismatch);
    assertPlane(await planeOf(broken, "2", 2), 2, 2);
    assert.equal((await render(broken, "1")).width, 80);
  });
});

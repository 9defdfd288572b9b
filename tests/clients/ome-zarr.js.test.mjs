// The published ome-zarr.js, with our codecs in the registry of its own copy of zarrita.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { NgffImage } from "ome-zarr.js";
import { register } from "zarr-codecs/zarrita";
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

test("it has its own copy of zarrita, which registering in ours does not affect", async (t) => {
  assert.notEqual(theirs.registry, zarrita.registry);
  assert.match(theirs.version, /^0\.5\./);
  t.after(register(zarrita.registry));
  const pictures = [await render(broken), await render(intact)];
  assert.notDeepEqual(pictures[0].data, pictures[1].data); // Wrong pixels, without an error.
});

describe("with our codecs in their registry", () => {
  let unregister;
  before(() => {
    unregister = register(theirs.registry);
  });
  after(() => unregister());

  test("valid data is decoded correctly", async () => {
    for (const channel of [0, 1, 2]) assertPlane(await planeOf(intact, "2", channel), 2, channel);
    assertPlane(await planeOf(intact, "0", 1), 0, 1);
  });

  test("pictures are the same as with their codecs", async () => {
    const ours = await render(intact);
    unregister();
    try {
      assert.deepEqual(ours, await render(intact));
    } finally {
      unregister = register(theirs.registry);
    }
    assert.ok(new Set(ours.data).size > 100, "not an empty picture");
  });

  test("a flipped bit is an error only in its chunk", async () => {
    await assert.rejects(render(broken), isMismatch);
    await assert.rejects(planeOf(broken, "2", 1), isMismatch);
    assertPlane(await planeOf(broken, "2", 2), 2, 2);
    assert.equal((await render(broken, "1")).width, 80);
  });
});

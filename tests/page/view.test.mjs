// The first view of an array, and what it keeps of the view before.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isShown, viewOf } from "../../www/image/view.js";

const array = (path) => ({
  path,
  metadata: { node_type: "array", shape: [2, 5, 64, 64], data_type: "uint16" },
});

function image(path, colours) {
  const axes = ["c", "z", "y", "x"].map((name) => ({ name, type: name === "c" ? "channel" : "space" }));
  const datasets = ["0", "1"].map((level) => ({ path: level }));
  const channels = colours.map((color) => ({ label: color, color }));
  const ome = { multiscales: [{ axes, datasets }], omero: { channels } };
  return [
    { path, metadata: { node_type: "group", attributes: { ome } } },
    array(`${path}/0`),
    array(`${path}/1`),
  ];
}

const nodes = [...image("/warm", ["ff0000", "ffff00"]), ...image("/cold", ["0000ff", "00ffff"])];
const colours = ({ channels }) => channels.map(({ colour }) => colour);

test("another level keeps colours and place, another image does not", () => {
  const first = viewOf(nodes, "/warm/0");
  const changed = {
    ...first,
    indices: [0, 3, 0, 0],
    channels: first.channels.map((channel) => ({ ...channel, colour: "#123456" })),
  };
  const level = viewOf(nodes, "/warm/1", changed);
  assert.deepEqual(colours(level), ["#123456", "#123456"]);
  assert.deepEqual(level.indices, [0, 3, 0, 0]);
  const other = viewOf(nodes, "/cold/1", changed);
  assert.deepEqual(colours(other), ["#0000ff", "#00ffff"]);
  assert.deepEqual(other.indices, [0, 0, 0, 0]);
});

test("an element is shown in its array, slice and channel only", () => {
  const view = { ...viewOf(nodes, "/warm/0"), indices: [0, 3, 0, 0] };
  const element = { path: "/warm/0", position: [1, 3, 63, 0] };
  assert.equal(isShown(view, element), true);
  assert.equal(isShown(view, { ...element, path: "/warm/1" }), false);
  for (const position of [
    [1, 2, 63, 0],
    [1, 3, 64, 0],
  ]) {
    assert.equal(isShown(view, { ...element, position }), false);
  }
  const channels = view.channels.map((channel) => ({ ...channel, isVisible: channel.number === 0 }));
  assert.equal(isShown({ ...view, channels }, element), false);
});

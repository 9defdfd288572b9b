// `openArray`: all chunks of arrays that zarr-python, tensorstore and zarrs wrote, without shards and with them.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ArrayReader, InvalidArgumentError, openArray } from "zarr-codecs";
import { registry } from "zarrita";
import { assertThrows } from "../js/helpers.mjs";
import {
  bytesOf,
  coordinatesIn,
  elementsOf,
  LITTLE,
  metadataWith,
  sharding,
  storeWith,
  toBytes,
  writtenArrays,
} from "./helpers.mjs";

/** How stores are read: with ranges, as a `Map`, and later. */
const STORES = {
  "at once": (store) => store,
  "whole values": (store) => new Map(store),
  later: (store) => ({
    get: async (key) => store.get(key)?.slice(),
    getRange: async (key, range) => store.getRange(key, range)?.slice(),
  }),
};

for (const [how, wrap] of Object.entries(STORES)) {
  test(`arrays of other implementations, read ${how}`, async () => {
    let count = 0;
    for (const { file, store, path, elements } of writtenArrays()) {
      const where = `${file} ${path}`;
      const array = await openArray(wrap(store), path, { float16: "bits", smallFloats: "bits" });
      const size = elements.length / array.shape.reduce((product, length) => product * length, 1);
      const read = async (at) => {
        const chunk = bytesOf(await array.getChunk(at));
        const decoded = await array.getBytes(at);
        assert.equal(decoded !== undefined, await array.has(at), where);
        if (decoded) {
          assert.deepEqual(decoded, chunk, where);
        }
        return chunk;
      };
      assert.deepEqual(await elementsOf(array, size, read), elements, where);
      count += 1;
    }
    assert.ok(count > 80, `${count}`);
  });
}

test("every stored value is sound, and its inner chunks are named in the order of their bytes", async () => {
  for (const { store, path } of writtenArrays()) {
    const array = await openArray(store, `/${path}/`);
    for (const at of coordinatesIn(array.stored.gridShape)) {
      const outcome = await array.check(at, { sound: true });
      assert.equal(outcome.state, store.has(array.stored.keyOf(at)) ? "sound" : "missing", path);
      assert.deepEqual(array.stored.coordsOf(array.stored.keyOf(at)), at);
      const offsets = outcome.parts.map(({ range }) => range.offset);
      assert.deepEqual(
        offsets,
        [...offsets].sort((a, b) => a - b),
      );
    }
  }
});

test("chunks are where `locate` says", async () => {
  for (const { store, path } of writtenArrays()) {
    const array = await openArray(store, path);
    for (const at of coordinatesIn(array.gridShape)) {
      const location = await array.locate(at);
      const encoded = await array.getEncoded(at);
      if (location === undefined) {
        assert.equal(encoded, undefined);
        continue;
      }
      const { key, range } = location;
      assert.deepEqual(encoded?.bytes, range ? store.getRange(key, range) : store.get(key));
    }
  }
});

describe("rectilinear grids", () => {
  const LENGTHS = [[2, [4, 2], 1], [[3, 2]]];
  const SHAPE = [11, 6];
  const STARTS = [
    [0, 2, 6, 10],
    [0, 3],
  ];
  const GRID = [
    [2, 4, 4, 1],
    [3, 3],
  ];
  const metadata = (members) =>
    metadataWith({
      shape: SHAPE,
      chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: LENGTHS } },
      ...members,
    });
  const elements = Uint8Array.from({ length: 66 }, (_, i) => i + 1);
  /** The elements of a box, in C order. */
  const box = ([y, x], [height, width]) =>
    Uint8Array.from({ length: height * width }, (_, i) => {
      const [row, column] = [y + Math.floor(i / width), x + (i % width)];
      return row < 11 && column < 6 ? elements[row * 6 + column] : 0;
    });

  test("have chunks of their own lengths", async () => {
    const store = new Map([["/zarr.json", toBytes(metadata())]]);
    for (const [i, j] of coordinatesIn([4, 2])) {
      store.set(`/c/${i}/${j}`, box([STARTS[0][i], STARTS[1][j]], [GRID[0][i], GRID[1][j]]));
    }
    const array = await openArray(store);
    assert.deepEqual(
      [array.gridShape, array.stored.gridShape],
      [
        [4, 2],
        [4, 2],
      ],
    );
    assert.deepEqual(array.shapeAt([1, 0]), [4, 3]);
    assert.deepEqual((await array.chainAt([1, 0])).shape, [4, 3]);
    const starts = (_, at) => at.map((n, axis) => STARTS[axis][n]);
    const read = async (at) => bytesOf(await array.getChunk(at));
    assert.deepEqual(await elementsOf(array, 1, read, starts), elements);
  });

  test("may have shards, whose inner chunks are of one shape", async () => {
    const lengths = [[2, [4, 2], 2], [[3, 2]]];
    const codecs = [sharding([2, 1], ["bytes"])];
    const chunk_grid = { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: lengths } };
    const store = new Map([["/zarr.json", toBytes(metadata({ chunk_grid, codecs }))]]);
    const heights = [2, 4, 4, 2];
    for (const [i, j] of coordinatesIn([4, 2])) {
      const [y, x] = [STARTS[0][i], STARTS[1][j]];
      const inner = [...coordinatesIn([heights[i] / 2, 3])];
      const chunks = inner.flatMap(([a, b]) => [...box([y + 2 * a, x + b], [2, 1])]);
      const index = new BigUint64Array(inner.flatMap((_, n) => [BigInt(2 * n), 2n]));
      store.set(`/c/${i}/${j}`, Uint8Array.from([...chunks, ...new Uint8Array(index.buffer)]));
    }
    const array = await openArray(store);
    assert.deepEqual(
      [array.gridShape, array.stored.gridShape],
      [
        [6, 6],
        [4, 2],
      ],
    );
    assert.deepEqual(await array.locate([2, 4]), { key: "/c/1/1", range: { offset: 8, length: 2 } });
    const read = async (at) => bytesOf(await array.getChunk(at));
    assert.deepEqual(await elementsOf(array, 1, read), elements);
  });
});

describe("chunks that are not stored", () => {
  for (const [data_type, fill_value, expected] of [
    ["int16", -3, Int16Array.of(-3, -3)],
    ["float32", "NaN", Float32Array.of(Number.NaN, Number.NaN)],
    ["uint64", 2 ** 53, BigUint64Array.of(2n ** 53n, 2n ** 53n)],
    ["complex64", [1, -2], Float32Array.of(1, -2, 1, -2)],
    ["bool", true, Uint8Array.of(1, 1)],
    ["r16", [1, 2], Uint8Array.of(1, 2, 1, 2)],
    ["bfloat16", 1.5, Float32Array.of(1.5, 1.5)],
  ]) {
    test(`are filled with the fill value: ${data_type}`, async () => {
      for (const codecs of [[LITTLE], [sharding([2], [LITTLE])]]) {
        const array = await openArray(storeWith({ data_type, fill_value, codecs }, {}));
        const chunk = await array.getChunk([1]);
        assert.deepEqual(chunk.data, expected);
        assert.deepEqual([chunk.shape, chunk.stride], [[2], [1]]);
        assert.equal(await array.getBytes([1]), undefined);
        assert.equal(await array.has([1]), false);
        assert.equal((await array.check([1])).state, "missing");
      }
    });
  }

  test("are filled with any value of a data type that an external codec knows", async () => {
    const members = { data_type: "string", fill_value: "none", codecs: ["vlen-utf8"] };
    const array = await openArray(storeWith(members, {}), "", { codecs: registry });
    assert.deepEqual((await array.getChunk([0])).data, ["none", "none"]);
  });
});

describe("codecs that nobody provides", () => {
  const chunk = Uint8Array.of(1, 2, 3, 4);

  test("leave the array open, and its chunks to be decoded from the end", async () => {
    const codecs = ["bytes", "x.unknown", "crc32c"];
    const { crc32c } = await import("zarr-codecs");
    const sum = new Uint8Array(Uint32Array.of(crc32c(chunk)).buffer);
    const array = await openArray(storeWith({ codecs }, { "/c/0": Uint8Array.of(...chunk, ...sum) }));
    await assert.rejects(array.getChunk([0]), { code: "invalid_metadata", path: "codecs[1]" });
    assert.deepEqual(await array.getBytes([0]), chunk);
    assert.deepEqual(await array.remaining(), ["bytes", "x.unknown"]);
    assert.equal((await array.check([0])).proof, "checksum");
  });

  test("in shards are named by their path in the metadata", async () => {
    const codecs = [sharding([2], [sharding([1], ["bytes", "x.unknown"])])];
    const array = await openArray(storeWith({ codecs }, {}));
    const path = "codecs[0].configuration.codecs[0].configuration.codecs[1]";
    await assert.rejects(array.getChunk([0]), { code: "invalid_metadata", path });
    assert.deepEqual(array.gridShape, [4]);
  });
});

for (const method of ["getChunk", "getBytes", "check"]) {
  test(`a codec that could not be loaded is asked for again: ${method}`, async () => {
    const same = { encode: (bytes) => bytes, decode: (bytes) => bytes };
    let asked = 0;
    const load = async () => {
      asked += 1;
      if (asked === 2) throw new Error("404"); // Opening the array was the first time.
      return { fromConfig: () => same };
    };
    const store = storeWith({ codecs: ["bytes", "other"] }, { "/c/0": Uint8Array.of(1, 2) });
    const array = await openArray(store, "", { codecs: new Map([["other", load]]) });
    const failure = { argument: "options.codecs", message: 'options.codecs: could not load "other": 404' };
    await assert.rejects(async () => array[method]([0]), failure);
    await array[method]([0]);
    assert.equal(asked, 3);
  });
}

test("ArrayReader is not constructed", () => {
  assertThrows(() => new ArrayReader(), InvalidArgumentError, { argument: "ArrayReader" });
});

describe("openArray", () => {
  const opening = (members, path) => openArray(storeWith(members, {}), path);

  test("rejects what is no array of Zarr v3", async () => {
    const version2 = new Map([["/a/.zarray", toBytes({ zarr_format: 2 })]]);
    await assert.rejects(openArray(version2, "a"), {
      code: "invalid_metadata",
      message: "expected an array of Zarr v3, got one of Zarr v2: a/.zarray exists",
    });
    await assert.rejects(opening({}, "b"), {
      code: "invalid_metadata",
      message: "b/zarr.json does not exist",
    });
    await assert.rejects(opening({ node_type: "group" }), {
      message: "zarr.json is a group, not an array",
    });
  });

  test("rejects invalid metadata with its path", async () => {
    for (const [path, members] of [
      ["shape", { shape: 4 }],
      ["chunk_grid.name", { chunk_grid: "hexagonal" }],
      ["chunk_key_encoding.name", { chunk_key_encoding: "v4" }],
      ["codecs[0].configuration.endian", { data_type: "int16" }],
      ["fill_value", { fill_value: "x" }],
      ["codecs[0].configuration.codecs", { codecs: ["sharding_indexed"] }],
      [
        "codecs[0].configuration.codecs[0].configuration.endian",
        { data_type: "int16", codecs: [sharding([1], ["bytes"])] },
      ],
    ]) {
      await assert.rejects(opening(members), { code: "invalid_metadata", path });
    }
  });

  test("rejects wrong arguments", async () => {
    await assert.rejects(openArray({}), { code: "invalid_argument", argument: "store" });
    await assert.rejects(openArray(new Map(), "", { gap: 1 }), { argument: "options.gap" });
    await assert.rejects(openArray(new Map(), "", { maxGap: -1 }), { argument: "options.maxGap" });
    const array = await opening({});
    for (const coordinates of [[2], [-1], [0, 0], 0, ["0"]]) {
      await assert.rejects(array.getChunk(coordinates), {
        code: "invalid_argument",
        argument: "coordinates",
      });
      assert.throws(() => array.shapeAt(coordinates), { argument: "coordinates" });
    }
    await assert.rejects(array.getChunk([0], { signal: 5 }), { argument: "options.signal" });
  });

  test("takes metadata that has been read already, and reads none", async () => {
    const metadata = metadataWith({ attributes: { unit: "K" } });
    const store = { get: (key) => (key === "/a/c/0" ? Uint8Array.of(1, 2) : assert.fail(key)) };
    const array = await openArray(store, "a", { metadata });
    assert.deepEqual(array.attributes, { unit: "K" });
    assert.deepEqual([array.dataType, array.shape], ["uint8", [4]]);
    assert.deepEqual((await array.getChunk([0])).data, Uint8Array.of(1, 2));
  });
});

// Numbers of a byte or less, and bfloat16, compared with what ml_dtypes makes of them.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain } from "zarr-codecs";
import { readVectors } from "./helpers.mjs";
import { fromHex } from "./vectors.mjs";

const { floats, integers, bfloat16 } = readVectors("types/values.json");
const codecs = [{ name: "bytes", configuration: { endian: "little" } }];
const chainOf = (dataType, length) => createCodecChain({ dataType, shape: [length], codecs });
const singlesOf = (hex) => new Float32Array(fromHex(hex).buffer);
const ALL = Uint8Array.from({ length: 256 }, (_, code) => code);

describe("values are those of ml_dtypes", () => {
  for (const [name, { decoded, singles, codes, unfit }] of Object.entries(floats)) {
    test(`all codes of ${name}`, () => {
      // As numbers: -0 differs from 0, and every NaN is one NaN.
      assert.deepEqual([...chainOf(name, 256).decode(ALL).data], [...singlesOf(decoded)]);
    });

    test(`rounding to ${name}`, () => {
      const all = singlesOf(singles);
      const fits = (_, i) => !unfit.includes(i);
      const fitting = all.filter(fits);
      assert.ok(fitting.length > 40);
      const chain = chainOf(name, fitting.length);
      assert.deepEqual(chain.encode(fitting), fromHex(codes).filter(fits));
      for (const index of unfit) {
        const one = chainOf(name, 1);
        assert.throws(() => one.encode(all.slice(index, index + 1)), { code: "invalid_element", index: 0 });
      }
    });
  }

  for (const [name, { decoded, least, codes }] of Object.entries(integers)) {
    test(name, () => {
      const { data } = chainOf(name, 256).decode(ALL);
      assert.deepEqual(data, new data.constructor(fromHex(decoded).buffer));
      const expected = fromHex(codes);
      const numbers = data.constructor.from(expected, (_, i) => least + i);
      assert.deepEqual(chainOf(name, numbers.length).encode(numbers), expected);
    });
  }

  test("bfloat16", () => {
    const singles = singlesOf(bfloat16.singles);
    assert.ok(singles.length > 4000);
    assert.deepEqual(chainOf("bfloat16", singles.length).encode(singles), fromHex(bfloat16.codes));
  });
});

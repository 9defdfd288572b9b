// NumPy's times, compared with what NumPy prints for them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createCodecChain, fromDate, InvalidArgumentError, NAT, toDate, toMilliseconds } from "zarr-codecs";
import { assertThrows } from "./helpers.mjs";

const of = (unit, scale_factor = 1) => ({ unit, scale_factor });

/** np.datetime64(value, unit), and np.datetime64(np.datetime64(value, unit), "ms"). */
const DATES = [
  [0n, of("ns"), "1970-01-01T00:00:00.000Z"],
  [-1n, of("ns"), "1969-12-31T23:59:59.999Z"],
  [1_750_000_000_123_456_789n, of("ns"), "2025-06-15T15:06:40.123Z"],
  [-1_000_001n, of("us"), "1969-12-31T23:59:58.999Z"],
  [12n, of("μs", 500), "1970-01-01T00:00:00.006Z"],
  [7n, of("s", 10), "1970-01-01T00:01:10.000Z"],
  [-3n, of("m"), "1969-12-31T23:57:00.000Z"],
  [20_000n, of("D"), "2024-10-04T00:00:00.000Z"],
  [2n, of("W"), "1970-01-15T00:00:00.000Z"],
  [-1n, of("M"), "1969-12-01T00:00:00.000Z"],
  [25n, of("M", 2), "1974-03-01T00:00:00.000Z"],
  [-70n, of("Y"), "1900-01-01T00:00:00.000Z"],
  [9_223_372_036_854_775_807n, of("as"), "1970-01-01T00:00:09.223Z"],
];

test("times are dates", () => {
  for (const [value, configuration, expected] of DATES) {
    assert.equal(toDate(value, configuration).toISOString(), expected, configuration.unit);
  }
});

test("dates are times, rounded down", () => {
  for (const [value, configuration, text] of DATES) {
    const date = new Date(text);
    const back = fromDate(date, configuration);
    assert.equal(toDate(back, configuration) > date, false);
    const isExact = !["ns", "us", "as"].includes(configuration.unit) || value === 0n;
    if (isExact) assert.equal(back, value, configuration.unit);
  }
  assert.equal(fromDate(new Date("1969-12-31T23:59:59.999Z"), of("s")), -1n);
  assert.equal(fromDate(new Date("1969-12-15"), of("M")), -1n);
  assert.equal(fromDate(new Date("1969-12-15"), of("Y", 10)), -1n);
});

test("not a time is an invalid date", () => {
  for (const unit of ["s", "ns", "M"]) assert.equal(toDate(NAT, of(unit)).getTime(), Number.NaN, unit);
  assert.equal(fromDate(new Date(Number.NaN), of("D")), NAT);
  assert.equal(toMilliseconds(NAT, of("s")), Number.NaN);
  assert.equal(Number.isNaN(toDate(2n ** 62n, of("D")).getTime()), true);
});

test("durations are milliseconds", () => {
  assert.equal(toMilliseconds(-3n, of("h", 2)), -21_600_000);
  assert.equal(toMilliseconds(1500n, of("us")), 1.5);
  for (const unit of ["Y", "M", "generic", "toString"]) {
    assertThrows(() => toMilliseconds(1n, of(unit)), InvalidArgumentError, {
      argument: "configuration.unit",
    });
  }
  assertThrows(() => toDate(1n, of("generic")), InvalidArgumentError, { argument: "configuration.unit" });
});

test("wrong arguments are named", () => {
  const date = new Date(0);
  for (const [use, argument, message] of [
    [() => toDate(1n, of("toString")), "configuration.unit", /expected "W", .* or "as", got "toString"/],
    [() => fromDate(date, of("constructor")), "configuration.unit", /got "constructor"/],
    [() => toDate(1n, { unit: "s" }), "configuration.scale_factor", /a positive integer, got undefined/],
    [() => toDate(1n, of("Y", 0.5)), "configuration.scale_factor", /a positive integer, got 0.5/],
    [() => fromDate(date, of("s", 0)), "configuration.scale_factor", /a positive integer, got 0/],
    [() => toDate(1, of("s")), "value", /expected a BigInt, got 1/],
    [() => toDate(1, of("M")), "value", /expected a BigInt, got 1/],
    [() => toMilliseconds("1", of("s")), "value", /expected a BigInt, got "1"/],
  ]) {
    assertThrows(use, InvalidArgumentError, { argument });
    assert.throws(use, { message });
  }
});

test("a date that 64 bits do not hold is an error", () => {
  const last = new Date("2262-04-11T23:47:16.854Z");
  assert.equal(fromDate(last, of("ns")), 9_223_372_036_854_000_000n);
  const message = "date: expected a time that is a 64-bit number of 1 ns, got 2262-04-11T23:47:16.855Z";
  assert.throws(() => fromDate(new Date(last.getTime() + 1), of("ns")), { message, argument: "date" });
  assert.throws(() => fromDate(new Date(-last.getTime() - 1), of("ns")), { argument: "date" });
  // Exactly NAT of this unit.
  assert.throws(() => fromDate(new Date(-(2 ** 48)), of("as", 5 ** 15)), { argument: "date" });
});

test("chunks keep not a time", () => {
  const dataType = { name: "numpy.datetime64", configuration: of("ns") };
  const codecs = [{ name: "bytes", configuration: { endian: "big" } }];
  const chain = createCodecChain({ dataType, shape: [2], codecs });
  const encoded = Uint8Array.of(0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
  const { data } = chain.decode(encoded);
  assert.deepEqual(data, BigInt64Array.of(NAT, 1n));
  assert.deepEqual(chain.encode(data), encoded);
});

// What must hold, of the medians: `npm run bench -- --floors` fails where one does not.
//
//   ratio  peer time / ours, at least
//   later  our time - peer time in seconds, at most
//
// A limit holds on all processors, or there is one for each kind: `{ amd: 5.5, intel: 3.9 }`. Other processors have to
// reach the lower one. Limits are about three quarters of what was measured, rounded down.

const [B256, KIB1, KIB4, KIB64, MIB1, MIB16] = [256, 1 << 10, 4 << 10, 64 << 10, 1 << 20, 16 << 20];
const KIB256 = 256 << 10;
const ALL = [B256, KIB1, KIB4, KIB64, MIB1, MIB16];
const FROM_1_KIB = ALL.slice(1);
const TO_1_MIB = ALL.slice(0, -1);
const LARGE = [KIB64, MIB1, MIB16];

const GENOA = "AMD EPYC (family 25, model 17)";
const EMERALD_RAPIDS = "Intel Xeon (Emerald Rapids)";

/**
 * @typedef {number | { amd: number, intel: number }} Limit
 * @typedef {Record<number, Limit>} Limits by size in bytes
 * @typedef {{ name: string, peer: string, ratio?: Limits, later?: Limits }} Floor
 */

/** One limit for each size, or one for all of them. @param {number[]} sizes @param {Limit[]} limits @returns {Limits} */
const each = (sizes, ...limits) => Object.fromEntries(sizes.map((size, i) => [size, limits[i] ?? limits[0]]));

/** @type {Floor[]} */
const NODE = [
  {
    name: "crc32c",
    peer: "hash-wasm",
    ratio: each(ALL, 1.5, 1.5, 2.5, { amd: 5.5, intel: 3.9 }, 6, { amd: 5.5, intel: 3.4 }),
  },
  {
    name: "crc32c",
    peer: "@node-rs/crc32",
    ratio: each(ALL, 1, 1, 1.1, { amd: 2, intel: 1.2 }, 2.2, { amd: 2, intel: 1.2 }),
  },
  ...[2, 4, 8].flatMap((component) => [
    {
      name: `decode-big-${component}`,
      peer: "zarrita",
      ratio: each(TO_1_MIB, 1, 1.5, 2.5, 5.5, 6.5),
    },
    // A copy is the least that a fresh output costs; the way through the window is half of another.
    { name: `decode-big-${component}`, peer: "slice", ratio: each([MIB16], 0.66) },
    {
      name: `decode-big-${component}-out`,
      peer: "zarrita",
      ratio: each(ALL, 1.5, 3, 5, 8, { amd: 10, intel: 7.2 }, 6),
    },
  ]),
  {
    name: "decode-big-crc32c",
    peer: "zarrita (unverified)",
    ratio: each(ALL, 0.8, 1, 1.5, 3.5, 4.5, 3),
  },
  { name: "decode-little-crc32c", peer: "our crc32c", ratio: each(LARGE, 0.86) },
  // Constant time.
  { name: "decode-little", peer: "ours of 256 B", ratio: each(ALL, 0.83) },
  ...["encode-big", "encode-big-out", "encode-big-crc32c", "encode-big-crc32c-out"].map((name) => ({
    name,
    peer: "our decode",
    ratio: each(ALL, 0.76),
  })),
  ...["encode-little-crc32c", "encode-little-crc32c-out"].map((name) => ({
    name,
    peer: "our decode",
    ratio: each(ALL, 0.76, 0.76, 0.76, 0.76, 0.76, { amd: 0.76, intel: 0.35 }),
  })),
  ...["float16-decode-out", "float16-encode-out"].map((name) => ({
    name,
    peer: "loop over bits",
    ratio: each([MIB1], 4),
  })),
  ...["", "-out"].flatMap((output) => [
    { name: `bfloat16-decode${output}`, peer: "loop with a table", ratio: each([MIB1], 4) },
    { name: `float8_e4m3fn-decode${output}`, peer: "loop with a table", ratio: each([MIB1], 1.5) },
    { name: `float8_e5m2-decode${output}`, peer: "loop with a table", ratio: each([MIB1], 1.5) },
    { name: `int4-decode${output}`, peer: "loop with a table", ratio: each([MIB1], 12) },
  ]),
  // Validation beside the same copy without it, to memory fresh from the system. (What it costs beside a copy to memory
  // that was used before, in the cache, see the table.)
  { name: "bool-copy", peer: "ours of uint8", ratio: each([64 << 20], 0.9) },
  ...["2d", "3d"].flatMap((rank) =>
    ["decode", "encode"].flatMap((direction) => [
      { name: `transpose-${rank}-${direction}`, peer: "zarrita", ratio: each([KIB256, MIB1], 12) },
      { name: `transpose-${rank}-${direction}`, peer: "blocked loop", ratio: each([KIB256, MIB1], 2) },
      { name: `transpose-${rank}-${direction}`, peer: "slice", ratio: each([KIB256, MIB1], 0.25) },
      { name: `transpose-${rank}-${direction}-out`, peer: "zarrita", ratio: each([KIB256, MIB1], 12) },
      { name: `transpose-${rank}-${direction}-out`, peer: "blocked loop", ratio: each([KIB256, MIB1], 2) },
    ]),
  ),
  { name: "zarrita-get", peer: "zarrita (unverified)", ratio: each([MIB1, 4 << 20, MIB16], 1) },
  { name: "first-use", peer: "an empty script", later: { 0: 0.015 } },
  { name: "first-use", peer: "import of zarrita", ratio: { 0: 1 } },
];

/**
 * The floors of a browser. Fresh outputs of 16 MiB have none: there the browser's allocator decides. Reused outputs of 256 B
 * have one in Chromium alone: elsewhere a call costs about as much as zarrita's loop, now more and now less.
 *
 *
 * @param {{ checksum: Limits, fresh: Limits, reused: Limits, verified: Limits, widen: Limit, narrow: Limit }} limits
 * @returns {Floor[]}
 */
const browser = ({ checksum, fresh, reused, verified, widen, narrow }) => [
  { name: "crc32c", peer: "hash-wasm", ratio: checksum },
  ...[2, 4, 8].flatMap((component) => [
    { name: `decode-big-${component}`, peer: "zarrita", ratio: fresh },
    { name: `decode-big-${component}-out`, peer: "zarrita", ratio: reused },
  ]),
  { name: "decode-big-crc32c", peer: "zarrita (unverified)", ratio: verified },
  { name: "decode-little-crc32c", peer: "our crc32c", ratio: each(LARGE, 0.67) },
  // Constant time.
  { name: "decode-little", peer: "ours of 256 B", ratio: each(ALL, 0.5) },
  ...["encode-big-out", "encode-big-crc32c-out", "encode-little-crc32c-out"].map((name) => ({
    name,
    peer: "our decode",
    ratio: each(ALL, 0.4),
  })),
  { name: "float16-decode-out", peer: "loop over bits", ratio: each([MIB1], widen) },
  { name: "float16-encode-out", peer: "loop over bits", ratio: each([MIB1], narrow) },
];

const CHROMIUM = browser({
  checksum: each(ALL, 1.3, 2.5, 3.9, 3.9, { amd: 4.8, intel: 4.2 }, 2.8),
  fresh: each(TO_1_MIB, 0.8, 1.1, 1.5, 1.3, 1.4),
  reused: each(ALL, 2.2, 5, 8, 10, 12, 5),
  verified: each(TO_1_MIB, 0.6, 1, 1.3, 1.6, 1.6),
  widen: 1.5,
  narrow: 1.8,
});

const FIREFOX = browser({
  checksum: each(ALL, 1.1, 2, 3.1, 3.9, { amd: 4.9, intel: 4.5 }, 2.6),
  fresh: each(TO_1_MIB, 0.6, 0.8, 1.1, 1.3, 1.2),
  reused: each(FROM_1_KIB, 1.6, 4.8, 12, 10, 4.7),
  verified: each(TO_1_MIB, 0.5, 0.9, 1.1, 1.4, 1.3),
  widen: 1.6,
  narrow: 2.9,
});

const WEBKIT = browser({
  checksum: each(ALL, 1.3, 1.2, 1.6, 3.2, 4.4, 2.8),
  fresh: each(TO_1_MIB, 0.5, 0.9, 1, 0.8, 2),
  reused: each(FROM_1_KIB, 1.2, 2.3, 5.3, 6, 2.3),
  verified: each(TO_1_MIB, 0.4, 0.6, 0.8, 0.8, 1.6),
  widen: 1.9,
  narrow: 1.3,
});

/** Only one case has been measured on Intel in browsers: the other limits come from AMD alone. */
const BROWSERS_MEASURED_ON = [GENOA, `${EMERALD_RAPIDS}, only crc32c of 1 MiB`];

/** What must hold in each runtime, and the processors that its limits were measured on. */
export const RUNTIMES = {
  node: { measuredOn: [GENOA, EMERALD_RAPIDS], floors: NODE },
  chromium: { measuredOn: BROWSERS_MEASURED_ON, floors: CHROMIUM },
  firefox: { measuredOn: BROWSERS_MEASURED_ON, floors: FIREFOX },
  webkit: { measuredOn: BROWSERS_MEASURED_ON, floors: WEBKIT },
};

/** The limit on a processor. @param {Limit} limit @param {string} processor @param {(...limits: number[]) => number} laxer */
function limitOn(limit, processor, laxer) {
  if (typeof limit === "number") return limit;
  if (/\bAMD\b/.test(processor)) return limit.amd;
  if (/\bIntel\b/.test(processor)) return limit.intel;
  return laxer(limit.amd, limit.intel);
}

/** How a limit is compared with what was measured. */
const KINDS = {
  ratio: {
    of: ({ ratio }) => ratio.median,
    holds: (measured, limit) => measured >= limit,
    laxer: Math.min,
  },
  later: {
    of: ({ later }) => later.median,
    holds: (measured, limit) => measured <= limit,
    laxer: Math.max,
  },
};

/**
 * Checks the floors of a report's runtime; leaves out those of cases and peers that did not run.
 *
 * @param {{ runtime: keyof typeof RUNTIMES, processor: string, results: import("./report.js").Result[] }} report
 * @returns {import("./report.js").CheckedFloor[]}
 */
export function checkFloors({ runtime, processor, results }) {
  return RUNTIMES[runtime].floors.flatMap(({ name, peer, ...limits }) =>
    Object.entries(limits).flatMap(([kind, ofSizes]) =>
      Object.entries(ofSizes).flatMap(([size, ofProcessors]) => {
        const result = results.find((result) => result.name === name && result.size === Number(size));
        const timing = result?.implementations.find((implementation) => implementation.name === peer);
        if (timing === undefined) return [];
        const { of, holds, laxer } = KINDS[kind];
        const measured = of(timing);
        const limit = limitOn(ofProcessors, processor, laxer);
        return [{ name, peer, kind, size: Number(size), limit, measured, holds: holds(measured, limit) }];
      }),
    ),
  );
}

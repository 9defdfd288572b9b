// What must hold, of the medians: `npm run bench -- --floors` fails where one does not.
//
//   faster  so many times as long as ours the peer takes, at least
//   slower  so many times as long as the peer ours takes, at most
//   later   so many seconds more than the peer ours takes, at most

const [B256, KIB1, KIB4, KIB64, MIB1, MIB16] = [256, 1 << 10, 4 << 10, 64 << 10, 1 << 20, 16 << 20];
const ALL = [B256, KIB1, KIB4, KIB64, MIB1, MIB16];
const LARGE = [KIB64, MIB1, MIB16];

/** One limit for each size. */
const each = (sizes, limits) => Object.fromEntries(sizes.map((size, i) => [size, limits[i] ?? limits[0]]));

export const FLOORS = [
  { name: "crc32c", peer: "hash-wasm", faster: each(ALL, [1.5, 1.5, 2.5, 5.5, 6, 5.5]) },
  { name: "crc32c", peer: "@node-rs/crc32", faster: each(ALL, [1, 1, 1.1, 2, 2.2, 2]) },
  ...[2, 4, 8].flatMap((component) => [
    {
      name: `decode-big-${component}`,
      peer: "zarrita",
      faster: each([B256, KIB1, KIB4, KIB64, MIB1], [1, 1.5, 2.5, 5.5, 6.5]),
    },
    // A copy is the least that a fresh output costs; the way through the window is half of another.
    { name: `decode-big-${component}`, peer: "slice", slower: each([MIB16], [1.5]) },
    { name: `decode-big-${component}-out`, peer: "zarrita", faster: each(ALL, [1.5, 3, 5, 8, 10, 6]) },
  ]),
  {
    name: "decode-big-crc32c",
    peer: "zarrita (unverified)",
    faster: each(ALL, [0.8, 1, 1.5, 3.5, 4.5, 3]),
  },
  { name: "decode-little-crc32c", peer: "our crc32c", slower: each(LARGE, [1.15]) },
  // Constant time.
  { name: "decode-little", peer: "ours of 256 B", slower: each(ALL, [1.2]) },
  ...["encode-big", "encode-big-crc32c", "encode-little-crc32c"].flatMap((name) => [
    { name, peer: "our decode", slower: each(ALL, [1.3]) },
    { name: `${name}-out`, peer: "our decode", slower: each(ALL, [1.3]) },
  ]),
  ...["float16-decode-out", "float16-encode-out"].map((name) => ({
    name,
    peer: "loop over bits",
    faster: each([MIB1], [4]),
  })),
  // Validation beside the same copy without it, to memory fresh from the system. (What it costs beside a copy to memory
  // that was used before, in the cache, see the table.)
  { name: "bool-copy", peer: "ours of uint8", slower: each([64 << 20], [1.1]) },
  { name: "zarrita-get", peer: "zarrita (unverified)", faster: each([MIB1, 4 << 20, MIB16], [1]) },
  { name: "first-use", peer: "an empty script", later: { 0: 0.015 } },
  { name: "first-use", peer: "import of zarrita", faster: { 0: 1 } },
];

/** How a limit is compared with what was measured. */
const KINDS = {
  faster: { of: ({ ratio }) => ratio.median, holds: (measured, limit) => measured >= limit, sign: "≥" },
  slower: { of: ({ ratio }) => 1 / ratio.median, holds: (measured, limit) => measured <= limit, sign: "≤" },
  later: { of: ({ later }) => later.median, holds: (measured, limit) => measured <= limit, sign: "≤" },
};

/** The floors that results reach or miss; those of cases and peers that did not run are left out. */
export function checkFloors(results) {
  return FLOORS.flatMap(({ name, peer, ...limits }) =>
    Object.entries(KINDS).flatMap(([kind, { of, holds, sign }]) =>
      Object.entries(limits[kind] ?? {}).flatMap(([size, limit]) => {
        const result = results.find((result) => result.name === name && result.size === Number(size));
        const timing = result?.implementations.find((implementation) => implementation.name === peer);
        if (timing === undefined) return [];
        const measured = of(timing);
        return [
          { name, peer, kind, size: Number(size), limit, sign, measured, holds: holds(measured, limit) },
        ];
      }),
    ),
  );
}

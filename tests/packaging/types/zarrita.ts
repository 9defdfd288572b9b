// Compiled, never run: every version of zarrita is accepted without a cast.

import { type ChecksumMismatchError, type CodecRegistry, loadCodecChain, withCodecs } from "zarr-codecs";
import { Crc32cCodec } from "zarr-codecs/crc32c";
import { verifyStore } from "zarr-codecs/verify";
import { type RegisterOptions, register } from "zarr-codecs/zarrita";
import "zarr-codecs/register";
import * as zarrita07 from "zarrita";
import * as zarrita04 from "zarrita-0.4";
import * as zarrita05 from "zarrita-0.5";
import * as zarrita06 from "zarrita-0.6";
import { type Equal, expectTrue } from "./equal.js";

const options: RegisterOptions = { verify: "warn", missingEndian: "little", invalidBool: "coerce" };
const restore = register(zarrita07.registry, options);
register(zarrita06.registry);
register(zarrita05.registry);
register(zarrita04.registry);
register(new Map<string, () => Promise<unknown>>());
expectTrue<Equal<typeof restore, () => void>>();
register(zarrita07.registry, {
  verify: (error) => expectTrue<Equal<typeof error, ChecksumMismatchError>>(),
});

// Their registries, and classes of numcodecs, are codecs for chains.
const registries: CodecRegistry[] = [
  ...[zarrita07.registry, zarrita06.registry, zarrita05.registry, zarrita04.registry],
  new Map([["zstd", () => import("numcodecs/zstd").then((module) => module.default)]]),
  new Map([
    ["zstd", () => import("numcodecs/zstd").then((module) => module.default)],
    ["blosc", () => import("numcodecs/blosc").then((module) => module.default)],
  ]),
];
for (const codecs of registries) loadCodecChain(JSON.parse("{}"), { codecs });

// Stores with codecs keep their types in zarrita, and are read-only.
const fetched = withCodecs(new zarrita07.FetchStore("https://example.org/data.zarr"), {
  codecs: zarrita07.registry,
});
const inMemory = withCodecs(new Map<string, Uint8Array>(), { dataTypes: "stored" });
const given: zarrita07.AsyncReadable = fetched;
export const opened = [
  zarrita07.open(fetched, { kind: "array" }),
  zarrita07.open.v3(inMemory, { kind: "array" }),
  zarrita07.open(await zarrita07.withConsolidatedMetadata(inMemory, { format: "v3" })),
  zarrita07.open(zarrita07.withRangeCoalescing(zarrita07.withByteCaching(fetched))),
  zarrita07.open(withCodecs(await zarrita07.withConsolidatedMetadata(given))),
  zarrita07.open(await zarrita07.extendStore(given, withCodecs, zarrita07.withRangeCoalescing)),
  zarrita06.open(withCodecs(new zarrita06.FetchStore("https://example.org")), { kind: "array" }),
  zarrita05.open(withCodecs(new zarrita05.FetchStore("https://example.org")), { kind: "array" }),
  zarrita04.open(withCodecs(new zarrita04.FetchStore("https://example.org")), { kind: "array" }),
];
const bytes = inMemory.get("/zarr.json");
expectTrue<Equal<typeof bytes, Promise<Uint8Array | undefined>>>();
const range = fetched.getRange("/c/0", { suffixLength: 1 }, { signal: new AbortController().signal });
expectTrue<Equal<typeof range, Promise<Uint8Array | undefined>>>();
const has: Promise<boolean> = inMemory.has("/c/0");
const url: string | URL = fetched.url;
export const array = await zarrita07.open(fetched, { kind: "array" });
void [url, has];
// @ts-expect-error: read-only
inMemory.set("/c/0", new Uint8Array());
// @ts-expect-error: read-only
inMemory.delete("/c/0");
// @ts-expect-error: the given store has no `has`
fetched.has("/c/0");
// @ts-expect-error: no such value
withCodecs(new Map<string, Uint8Array>(), { dataTypes: "numpy" });
// @ts-expect-error: without effect
withCodecs(new Map<string, Uint8Array>(), { strided: true });

// A codec of numcodecs, which zarrita accepts.
zarrita07.registry.set("numcodecs.crc32c", () =>
  import("zarr-codecs/crc32c").then((module) => module.Crc32cCodec),
);
zarrita07.registry.set("numcodecs.crc32c", async () => Crc32cCodec);
const codec = Crc32cCodec.fromConfig({ id: "crc32c" });
expectTrue<Equal<typeof codec, Crc32cCodec>>();
const decoded: Uint8Array = codec.decode(codec.encode(new Uint8Array(4)), new Uint8Array(4));
void decoded;
new Crc32cCodec({ verify: (error) => expectTrue<Equal<typeof error, ChecksumMismatchError>>() });

// Stores to verify.
verifyStore(new zarrita07.FetchStore("https://example.org"), { codecs: zarrita07.registry });
verifyStore(new zarrita04.FetchStore("https://example.org"), { codecs: zarrita04.registry });

// @ts-expect-error: no such option
register(zarrita07.registry, { strict: true });
// @ts-expect-error: no such value
register(zarrita07.registry, { verify: "never" });
// @ts-expect-error: not a registry
register({});
// @ts-expect-error: not a store
withCodecs({});

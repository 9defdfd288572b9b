// Compiled, never run: every version of zarrita is accepted without a cast.

import { type ChecksumMismatchError, type CodecRegistry, loadCodecChain } from "zarr-codecs";
import { Crc32cCodec } from "zarr-codecs/crc32c";
import { verifyStore } from "zarr-codecs/verify";
import { type RegisterOptions, register, withExtendedTypes } from "zarr-codecs/zarrita";
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
for (const { registry } of [zarrita07, zarrita06, zarrita05, zarrita04]) register(registry, { guard: true });
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

// Wrapped stores keep their types in zarrita.
const fetched = withExtendedTypes(new zarrita07.FetchStore("https://example.org/data.zarr"));
const inMemory = withExtendedTypes(new Map<string, Uint8Array>());
export const opened = [
  zarrita07.open(fetched, { kind: "array" }),
  zarrita07.open.v3(inMemory, { kind: "array" }),
  zarrita07.open(zarrita07.extendStore(inMemory, withExtendedTypes)),
  zarrita06.open(withExtendedTypes(new zarrita06.FetchStore("https://example.org")), { kind: "array" }),
  zarrita05.open(withExtendedTypes(new zarrita05.FetchStore("https://example.org")), { kind: "array" }),
  zarrita04.open(withExtendedTypes(new zarrita04.FetchStore("https://example.org")), { kind: "array" }),
];
const bytes = inMemory.get("/zarr.json");
expectTrue<Equal<typeof bytes, Promise<Uint8Array<ArrayBufferLike> | undefined>>>();
const url: string | URL = fetched.url;
export const array = await zarrita07.open(fetched, { kind: "array" });
export const written = zarrita07.set(await zarrita07.open(inMemory, { kind: "array" }), null, 1);
void url;

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
withExtendedTypes({});

/** Loads codec chains that may contain external codecs. */

import {
  describe,
  InvalidArgumentError,
  InvalidMetadataError,
  invalidArgument,
  truncate,
} from "../errors.js";
import { expectReadable } from "../expect.js";
import { OWN_CODEC_NAMES } from "../generated/facts.js";
import { type ArrayMetadata, type ChainMetadata, copyMetadata } from "../metadata.js";
import { type Allowed, ARRAY_CHAIN_OPTIONS, type ArrayChainOptions, readOptions } from "../options.js";
import type { DataType } from "../typed-array.js";
import { init } from "../wasm/instance.js";
import { AsyncCodecChain } from "./async-codec-chain.js";
import { hasDecoder } from "./built-in-decoder.js";
import { Codecs } from "./codecs.js";
import { requestFor, resolve } from "./create.js";
import {
  type CodecPlace,
  type CodecRegistry,
  type ExternalCodec,
  type ExternalCodecClass,
  messageOf,
} from "./external.js";
import { creatingExternal, type LoadedCodec } from "./external-stage.js";
import { RESOLVED } from "./resolved-chain.js";

/** Options of {@link loadCodecChain}. */
export interface LoadOptions extends ArrayChainOptions {
  /**
   * External codecs: zarrita's `registry`, or a `Map` from names to functions that return a codec's class or a promise of
   * it. Decoding `blosc`, `gzip`, `lz4`, `zlib` and `zstd` needs none, nor does encoding those that the host has.
   */
  readonly codecs?: CodecRegistry | undefined;
}

const LOAD_OPTIONS: Allowed<LoadOptions> = { ...ARRAY_CHAIN_OPTIONS, codecs: undefined };

/** `loadCodecChain`, once Rust's code is there. */
export async function loadCodecChain<D extends DataType = DataType>(
  metadata: ArrayMetadata | ChainMetadata<string>,
  options?: LoadOptions,
): Promise<AsyncCodecChain<D>> {
  return new AsyncCodecChain(RESOLVED, await loadCodecs(metadata, options));
}

/** Loads the external codecs in a chain, and resolves it. */
export async function loadCodecs(
  metadata: ArrayMetadata | ChainMetadata<string>,
  options: LoadOptions | undefined,
): Promise<Codecs> {
  const { codecs: registry, ...rest } = readOptions(options, LOAD_OPTIONS);
  expectRegistry(registry);
  const request = requestFor(metadata, rest);
  await init();
  const told = toldOf(Object(request.metadata), request.chunkShape, fillValueOf(metadata));
  const loaded = await loadExternal(told, registry);
  const loading = { ...request, loads: true, external: loaded.map(({ external }) => external) };
  return new Codecs(resolve(loading), loading, rest, creatingExternal(loaded));
}

function expectRegistry(registry: unknown): void {
  if (registry === undefined) return;
  const isRegistry = expectReadable(
    "options.codecs",
    () => typeof (registry as CodecRegistry | null)?.get === "function",
  );
  if (!isRegistry) {
    throw invalidArgument("options.codecs", "a Map or an object with a function get", describe(registry));
  }
}

/** Reads the fill value, which external codecs get. */
function fillValueOf(metadata: unknown): unknown {
  return expectReadable("metadata", () => {
    const { fill_value, fillValue = fill_value } = Object(metadata);
    return fillValue;
  });
}

/** What external codecs are told of the array that they encode. */
interface EncodedMetadata {
  readonly dataType: unknown;
  readonly shape: unknown;
  readonly codecs: readonly unknown[];
  readonly fillValue: unknown;
}

/** Loads the codecs that are not built in and that somebody provides. Rust reports the others. */
async function loadExternal(
  metadata: EncodedMetadata,
  registry: CodecRegistry | undefined,
  path = "codecs",
): Promise<LoadedCodec[]> {
  let told = metadata;
  const loaded: LoadedCodec[] = [];
  for (const [index, entry] of told.codecs.entries()) {
    const isObject = typeof entry === "object" && entry !== null;
    const { name, configuration = {} } = (isObject ? entry : { name: entry }) as PlainCodec;
    const place = { name: String(name), path: `${path}[${index}]` };
    if (name === "sharding_indexed") {
      const innerPath = `${place.path}.configuration.codecs`;
      loaded.push(...(await loadExternal(ofInnerChunks(told, configuration), registry, innerPath)));
    }
    if (typeof name !== "string" || OWN_CODEC_NAMES.includes(name)) continue;
    const load = registry && expectReadable("options.codecs", () => registry.get(name));
    if (load === undefined) {
      const external = { path: place.path, kind: "bytes_to_bytes" };
      if (hasDecoder(name)) loaded.push({ external, configuration });
      continue;
    }
    const codec = await createCodec(load, configuration, place, told);
    const { kind, encoded } = readCodec(codec, told, place);
    loaded.push({ external: { path: place.path, kind, ...encoded?.copy }, codec, configuration });
    told = encoded?.told ?? told;
  }
  return loaded;
}

/** Returns what external codecs are told of inner chunks. */
function ofInnerChunks(shard: EncodedMetadata, configuration: object): EncodedMetadata {
  const { chunk_shape: shape, codecs } = configuration as { chunk_shape?: unknown; codecs?: unknown };
  return { ...shard, shape, codecs: Array.isArray(codecs) ? codecs : [] };
}

const KINDS: readonly unknown[] = ["array_to_array", "array_to_bytes", "bytes_to_bytes"];

/** Reads the kind of a codec and, if that changes, the metadata of what it encodes to, with a copy for Rust. */
function readCodec(codec: ExternalCodec, metadata: EncodedMetadata, place: CodecPlace) {
  return reporting(place, () => {
    const kind = codec.kind ?? "bytes_to_bytes";
    if (!KINDS.includes(kind)) throw new TypeError(`unknown kind ${describe(kind)}`);
    const encoded = kind === "array_to_array" ? codec.getEncodedMeta?.(metadata as never) : undefined;
    if (encoded === undefined) return { kind };
    const told = { ...(encoded as EncodedMetadata) };
    const copy = copyMetadata({ dataType: told.dataType, shape: told.shape }) as PlainMetadata;
    return { kind, encoded: { told, copy } };
  });
}

/** Copied metadata, of which nothing has been checked yet. */
interface PlainMetadata {
  readonly data_type?: unknown;
  readonly dataType?: unknown;
  readonly shape?: unknown;
  readonly chunk_grid?: { readonly configuration?: { readonly chunk_shape?: unknown } };
  readonly codecs?: unknown;
}
interface PlainCodec {
  readonly name?: unknown;
  readonly configuration?: object;
}

/** Returns what external codecs are told of an array: from its own metadata, or from those of its chain. */
function toldOf(metadata: PlainMetadata, chunkShape: unknown, fillValue: unknown): EncodedMetadata {
  const { data_type, dataType = data_type, chunk_grid: grid, codecs } = metadata;
  const { shape = chunkShape ?? grid?.configuration?.chunk_shape } = metadata;
  return { dataType, shape, codecs: Array.isArray(codecs) ? codecs : [], fillValue };
}

/** Creates an external codec. */
async function createCodec(
  load: NonNullable<ReturnType<CodecRegistry["get"]>>,
  configuration: object,
  place: CodecPlace,
  metadata: EncodedMetadata,
): Promise<ExternalCodec> {
  const argument = "options.codecs";
  let Codec: ExternalCodecClass;
  try {
    Codec = await load();
  } catch (cause) {
    const message = `${argument}: could not load ${describe(place.name)}: ${messageOf(cause)}`;
    throw new InvalidArgumentError(message, { argument }, { cause });
  }
  const isClass = expectReadable(argument, () => typeof Codec?.fromConfig === "function");
  if (!isClass) {
    const expected = `a function that returns a class with fromConfig for ${describe(place.name)}`;
    throw invalidArgument(argument, expected, `one that returns ${describe(Codec)}`);
  }
  return reporting(place, () => Codec.fromConfig(configuration as never, metadata as never));
}

/** Runs code of an external codec before it is used. @throws InvalidMetadataError (it throws) */
function reporting<T>({ name, path }: CodecPlace, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    const message = `${path}: ${truncate(name)} cannot be created from its metadata: ${messageOf(cause)}`;
    throw new InvalidMetadataError(message, { path }, { cause });
  }
}

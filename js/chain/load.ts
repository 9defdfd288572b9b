/** Loads codec chains that may contain codecs of others. */

import { InvalidMetadataError, invalidArgument, describe } from "../errors.js";
import { expectReadable } from "../expect.js";
import { CODEC_NAMES } from "../generated/facts.js";
import {
  type ArrayMetadata,
  type ChainMetadata,
  copyArrayMetadata,
  copyMetadata,
} from "../metadata.js";
import { type Allowed, ARRAY_CHAIN_OPTIONS, type ArrayChainOptions, readOptions } from "../options.js";
import { instance } from "../wasm/instance.js";
import { AsyncCodecChain } from "./async-codec-chain.js";
import { CodecChain, RESOLVED } from "./codec-chain.js";
import { requestFor, resolve } from "./create.js";
import type { CodecRegistry, ExternalCodec } from "./external.js";
import { hostCodec } from "./host-codecs.js";
import type { Request } from "./resolved.js";

/** Options of {@link loadCodecChain}. */
export interface LoadOptions extends ArrayChainOptions {
  /**
   * Codecs of others: zarrita's `registry`, or a `Map` from names to functions that return a codec's class or a promise of
   * it. `gzip` and `zlib` need none, nor does `zstd` where the host has it.
   */
  readonly codecs?: CodecRegistry | undefined;
}

const LOAD_OPTIONS: Allowed<LoadOptions> = { ...ARRAY_CHAIN_OPTIONS, codecs: undefined };

/**
 * Loads the codec chain of an array, which may contain codecs of others.
 *
 * What their formats allow to check is checked: the headers of blosc, zstd, gzip and zlib, the lengths of what they decode to,
 * and the checksums of gzip, zlib and zstd, whether or not their decoders verify them.
 *
 * @param metadata the parsed `zarr.json` of an array, or `{ dataType, shape, codecs, fillValue? }`
 * @throws InvalidMetadataError (also where nobody provides a codec), InvalidArgumentError
 * @example
 * ```ts
 * import { loadCodecChain } from "zarr-codecs";
 *
 * const chain = await loadCodecChain({
 *   dataType: "uint16",
 *   shape: [3],
 *   codecs: [{ name: "bytes", configuration: { endian: "little" } }, { name: "gzip", configuration: { level: 5 } }],
 * });
 * const encoded = await chain.encode(Uint16Array.of(1, 2, 3));
 * (await chain.decode(encoded)).data; // => Uint16Array.of(1, 2, 3)
 * ```
 */
export async function loadCodecChain(
  metadata: ArrayMetadata | ChainMetadata<string>,
  options?: LoadOptions,
): Promise<AsyncCodecChain> {
  const { codecs: registry, ...rest } = readOptions(options, LOAD_OPTIONS);
  const isArray = isArrayMetadata(metadata);
  const copy = isArray ? copyArrayMetadata(metadata) : copyMetadata(metadata);
  await instance.load();
  const request = requestFor(copy, isArray, rest);
  const externals = await loadExternals(new Metadata(request), registry);
  const loading: Request = {
    ...request,
    loads: true,
    external: externals.map(({ codec, ...external }) => external),
  };
  const resolved = resolve(loading);
  const isOwn = resolved.steps.every(({ kind }) => kind !== "external");
  if (isOwn) {
    const chain = new CodecChain(RESOLVED, resolved, loading, rest);
    return new AsyncCodecChain(RESOLVED, chain);
  }
  const codecOf = new Map(externals.map(({ index, codec }) => [index, codec]));
  return new AsyncCodecChain(RESOLVED, { resolved, request: loading, options: rest, codecOf });
}

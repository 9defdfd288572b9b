/** The codecs of an array as zarrita is shown them. */

import { describe } from "../../errors.js";
import { invalid, isObject, type Json } from "./json.js";

/** The name under which `register` has the codec `bytes` of `float16` that gives and takes `float32`. */
export const FLOAT16_AS_FLOAT32 = "zarr-codecs.float16_as_float32";

/** A list of codecs with each changed; the list itself where none is, or where it is no list. */
function mapCodecs(codecs: unknown, change: (codec: unknown, i: number) => unknown): unknown {
  if (!Array.isArray(codecs)) return codecs;
  const changed = codecs.map(change);
  return changed.every((codec, i) => codec === codecs[i]) ? codecs : changed;
}

interface Sharding {
  readonly name: string;
  readonly configuration: Json;
}

function isSharding(codec: unknown): codec is Sharding {
  return isObject(codec) && codec.name === "sharding_indexed" && isObject(codec.configuration);
}

export const isSharded = (codecs: unknown): boolean => Array.isArray(codecs) && codecs.some(isSharding);

/** Codecs as objects, those of shards too; the list itself where they are that already. */
export function spelledOut(codecs: unknown): unknown {
  return mapCodecs(codecs, (codec) => {
    if (typeof codec === "string") return { name: codec };
    if (!isSharding(codec)) return codec;
    const { configuration } = codec;
    const lists = {
      codecs: spelledOut(configuration.codecs),
      index_codecs: spelledOut(configuration.index_codecs),
    };
    const isSame = lists.codecs === configuration.codecs && lists.index_codecs === configuration.index_codecs;
    return isSame ? codec : { ...codec, configuration: { ...configuration, ...lists } };
  });
}

/** How the codecs of an array are changed. */
interface Change {
  /** The data type, for messages. */
  readonly dataType: string;
  bytes?(codec: Json): Json;
  transpose?(codec: Json, path: string): Json;
  chunkShape?(shape: unknown[]): unknown[];
}

/** Codecs for an axis of `length` more, which they leave last. */
export function withAxis(codecs: unknown, dataType: string, rank: number, length: number): unknown {
  return changed(codecs, "codecs", {
    dataType,
    transpose: (codec, path) => transposeWithAxis(codec, rank, path),
    chunkShape: (shape) => [...shape, length],
  });
}

/** Codecs that decode `float16` to `float32`. */
export function asFloat32(codecs: unknown): unknown {
  return changed(codecs, "codecs", {
    dataType: "float16",
    bytes: (codec) => ({ ...codec, name: FLOAT16_AS_FLOAT32 }),
  });
}

/** The codecs that turn an array to bytes component by component, and so work for the shown array too. */
const TO_BYTES: unknown[] = ["bytes", "endian", "sharding_indexed"];

/**
 * Changes codecs that are spelled out. What comes before the array-to-bytes codec sees elements of the data type that is
 * shown, for which it was not written; of these only `transpose` moves elements without looking at them.
 *
 * @throws InvalidMetadataError
 */
function changed(codecs: unknown, path: string, change: Change): unknown {
  if (!Array.isArray(codecs)) throw invalid(path, "an array of codecs", describe(codecs));
  const toBytes = codecs.findIndex((codec) => isObject(codec) && TO_BYTES.includes(codec.name));
  const result = codecs.map((codec: unknown, i) => {
    const at = `${path}[${i}]`;
    if (i > toBytes && toBytes >= 0) return codec;
    const name = isObject(codec) ? codec.name : codec;
    if (!isObject(codec) || !(i === toBytes || name === "transpose")) {
      const expected = `transpose, bytes or sharding_indexed, to open ${change.dataType} in zarrita`;
      throw invalid(at, expected, describe(name));
    }
    if (name === "transpose") return change.transpose?.(codec, at) ?? codec;
    return name === "sharding_indexed" ? changedShard(codec, at, change) : (change.bytes?.(codec) ?? codec);
  });
  if (toBytes < 0) throw invalid(path, "a codec bytes or sharding_indexed", "none");
  return result;
}

function changedShard(codec: Json, path: string, change: Change): Json {
  const configuration = isObject(codec.configuration) ? codec.configuration : {};
  const { chunk_shape, codecs } = configuration;
  const at = `${path}.configuration`;
  if (!Array.isArray(chunk_shape)) {
    const got = chunk_shape === undefined ? "nothing" : describe(chunk_shape);
    throw invalid(`${at}.chunk_shape`, "an array of integers", got);
  }
  return {
    ...codec,
    configuration: {
      ...configuration,
      chunk_shape: change.chunkShape?.(chunk_shape) ?? chunk_shape,
      codecs: changed(codecs, `${at}.codecs`, change),
    },
  };
}

/** A codec `transpose` that leaves one axis more last. zarrita takes "C" and "F" for an order as well. */
function transposeWithAxis(codec: Json, rank: number, path: string): Json {
  const configuration = isObject(codec.configuration) ? codec.configuration : {};
  const { order = "C" } = configuration;
  const axes = Array.from({ length: rank }, (_, i) => i);
  const named = order === "C" ? axes : order === "F" ? [...axes].reverse() : order;
  if (!Array.isArray(named) || named.length !== rank || !axes.every((axis) => named.includes(axis))) {
    throw invalid(`${path}.configuration.order`, `a permutation of the ${rank} axes`, describe(order));
  }
  return { ...codec, configuration: { ...configuration, order: [...named, rank] } };
}

/** Checks that no codec has a name that only zarrita is shown. */
export function expectPublicNames(codecs: unknown, path = "codecs"): void {
  if (!Array.isArray(codecs)) return;
  for (const [i, codec] of codecs.entries()) {
    const name = isObject(codec) ? codec.name : codec;
    if (name === FLOAT16_AS_FLOAT32) throw invalid(`${path}[${i}].name`, '"bytes"', describe(name));
    if (isSharding(codec))
      expectPublicNames(codec.configuration.codecs, `${path}[${i}].configuration.codecs`);
  }
}

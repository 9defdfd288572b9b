/** Lists of codecs in the form that zarrita reads. */

import { invalidMetadata } from "../../errors.js";
import { BYTES_NAMES } from "../../generated/facts.js";
import { asObject, expectLengths, isObject, type Json, named } from "../../json.js";
import { isPermutation } from "../../stride.js";

/** The registered name of the codec that replaces `bytes` where components are converted to those of the shown data type. */
export const CONVERTED = "zarr-codecs.converted";

/** What the configuration of that codec has beside that of `bytes`. */
export interface Conversion {
  /** The data type that is stored. */
  readonly data_type: unknown;
  /** Whether the last axis of the shown array is one element of it. */
  readonly has_axis: boolean;
}

/** The names under which the array-to-bytes codec of this package is registered. */
export const ARRAY_TO_BYTES_NAMES: readonly string[] = [...BYTES_NAMES, CONVERTED];

function isSharding(codec: unknown): codec is { configuration: Json } {
  return isObject(codec) && codec.name === "sharding_indexed" && isObject(codec.configuration);
}

export const isSharded = (codecs: unknown): boolean => Array.isArray(codecs) && codecs.some(isSharding);

/**
 * Replaces codecs given by name alone with objects, and transposes that follow each other with one, also in shards. Returns the
 * list itself if there are none, and anything that is not a list.
 */
export function spelledOut(codecs: unknown): unknown {
  if (!Array.isArray(codecs)) return codecs;
  const spelled = codecs.map(spelledOutCodec);
  const isSame = spelled.every((codec, i) => codec === codecs[i]);
  return joinedTransposes(isSame ? codecs : spelled);
}

function spelledOutCodec(codec: unknown): unknown {
  if (typeof codec === "string") return { name: codec };
  if (!isSharding(codec)) return codec;
  const { configuration } = codec;
  const lists = {
    codecs: spelledOut(configuration.codecs),
    index_codecs: spelledOut(configuration.index_codecs),
  };
  const isSame = lists.codecs === configuration.codecs && lists.index_codecs === configuration.index_codecs;
  return isSame ? codec : { ...codec, configuration: { ...configuration, ...lists } };
}

/**
 * Joins transposes that follow each other to one: of several, zarrita applies only one. Returns the list itself if there are
 * none.
 */
export function joinedTransposes(codecs: readonly unknown[]): readonly unknown[] {
  const joined: unknown[] = [];
  for (const codec of codecs) {
    const [first, second] = [orderOf(joined.at(-1)), orderOf(codec)];
    if (first && first.length === second?.length) {
      const order = second.map((axis) => first[axis]);
      joined[joined.length - 1] = { name: "transpose", configuration: { order } };
    } else joined.push(codec);
  }
  return joined.length === codecs.length ? codecs : joined;
}

/** Returns the order of a transpose; undefined for anything else. */
function orderOf(codec: unknown): number[] | undefined {
  if (!isObject(codec) || codec.name !== "transpose") return undefined;
  const { order } = asObject(codec.configuration);
  return Array.isArray(order) && isPermutation(order, order.length) ? order : undefined;
}

/** The changes to the codecs of an array. */
interface Change {
  /** The name of the data type, for messages. */
  readonly name: string;
  /** The number of axes of the array. */
  readonly rank: number;
  /** The length of the axis that is added last, if one is. */
  readonly axis: number | undefined;
  readonly conversion: Conversion | undefined;
}

/** Array-to-bytes codecs that store the components of the shown array as those of the actual one. */
const TO_BYTES: unknown[] = ["bytes", "endian", "sharding_indexed"];

/**
 * Changes codecs that are spelled out, to keep an additional axis last and to convert components. Array-to-array codecs would
 * be applied to elements of the shown data type instead of the actual one, so they are rejected, except `transpose`, which only
 * moves elements.
 *
 * @throws InvalidMetadataError
 */
export function shownCodecs(codecs: unknown, change: Change, path = "codecs"): unknown {
  if (!Array.isArray(codecs)) throw invalidMetadata(path, "an array of codecs", named(codecs));
  const toBytes = codecs.findIndex((codec) => isObject(codec) && TO_BYTES.includes(codec.name));
  const result = codecs.map((codec: unknown, i) => {
    const at = `${path}[${i}]`;
    if (i > toBytes && toBytes >= 0) return codec;
    const name = isObject(codec) ? codec.name : codec;
    if (!isObject(codec) || !(i === toBytes || name === "transpose")) {
      const expected = `transpose, bytes or sharding_indexed, to open ${change.name} in zarrita`;
      throw invalidMetadata(at, expected, named(name));
    }
    const { axis, rank, conversion } = change;
    if (name === "transpose") return axis === undefined ? codec : transposeWithAxis(codec, rank, at);
    if (name === "sharding_indexed") return changedShard(codec, at, change);
    if (conversion === undefined) return codec;
    return { ...codec, name: CONVERTED, configuration: { ...asObject(codec.configuration), conversion } };
  });
  if (toBytes < 0) throw invalidMetadata(path, "a codec bytes or sharding_indexed", "none");
  return result;
}

function changedShard(codec: Json, path: string, change: Change): Json {
  const configuration = asObject(codec.configuration);
  const at = `${path}.configuration`;
  const chunkShape = expectLengths(configuration.chunk_shape, `${at}.chunk_shape`);
  return {
    ...codec,
    configuration: {
      ...configuration,
      chunk_shape: change.axis === undefined ? chunkShape : [...chunkShape, change.axis],
      codecs: shownCodecs(configuration.codecs, change, `${at}.codecs`),
    },
  };
}

/** Changes `transpose` to keep an additional axis last. Like zarrita, it accepts the orders "C" and "F" too. */
function transposeWithAxis(codec: Json, rank: number, path: string): Json {
  const configuration = asObject(codec.configuration);
  const { order = "C" } = configuration;
  const axes = Array.from({ length: rank }, (_, i) => i);
  const permutation = order === "C" ? axes : order === "F" ? [...axes].reverse() : order;
  if (!isPermutation(permutation, rank)) {
    throw invalidMetadata(`${path}.configuration.order`, `a permutation of the ${rank} axes`, named(order));
  }
  return { ...codec, configuration: { ...configuration, order: [...permutation, rank] } };
}

/** Checks that no codec has the private name, which must not be written to a store. */
export function expectPublicNames(codecs: unknown, path = "codecs"): void {
  if (!Array.isArray(codecs)) return;
  for (const [i, codec] of codecs.entries()) {
    const name = isObject(codec) ? codec.name : codec;
    if (name === CONVERTED) throw invalidMetadata(`${path}[${i}].name`, '"bytes"', named(name));
    if (isSharding(codec))
      expectPublicNames(codec.configuration.codecs, `${path}[${i}].configuration.codecs`);
  }
}

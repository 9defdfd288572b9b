/** The division of chunks into inner chunks, by the codecs `sharding_indexed` of an array. */

import { shardLayout } from "../chain/codecs.js";
import { requestFor, resolve } from "../chain/create.js";
import type { ShardStep } from "../chain/resolved.js";
import type { ShardLayout } from "../chain/shard/shard-layout.js";
import { InvalidMetadataError } from "../errors.js";
import type { CodecMetadata, NamedConfiguration } from "../metadata.js";
import type { ArrayChainOptions } from "../options.js";
import { isPermutation } from "../stride.js";

/** The lists of codecs in the configuration of `sharding_indexed`. */
type Lists = Readonly<Record<"codecs" | "index_codecs", readonly CodecMetadata[]>>;

/** The division of shards into inner chunks, which may be shards themselves. */
export interface Level {
  readonly layout: ShardLayout;
  /** The axes of the array that are the axes of the shard: a transpose before the shards moves them. */
  readonly axes: readonly number[];
  /** The number of inner chunks along each axis of the array. */
  readonly grid: readonly number[];
  readonly indexCodecs: readonly CodecMetadata[];
}

/** The division of a chunk. */
export interface Division {
  /** The levels of shards, the outermost first. */
  readonly levels: readonly Level[];
  /** The transposes before the shards, which are transposes of inner chunks too. */
  readonly transposes: readonly NamedConfiguration[];
  /** The axes of the array that are the axes of the smallest chunks, and the shape of those in this order. */
  readonly axes: readonly number[];
  readonly shape: readonly number[];
  /** The codecs of the smallest chunks. */
  readonly codecs: readonly CodecMetadata[];
  /** Their path in the metadata. */
  readonly path: string;
}

/**
 * Divides a chunk into the smallest ones that can be read by themselves: inner chunks, unless a codec other than `transpose`
 * precedes `sharding_indexed` or any follows it.
 *
 * @param codecs whose form has been checked
 * @throws InvalidMetadataError
 */
export function divide(
  shape: readonly number[],
  codecs: readonly CodecMetadata[],
  options: ArrayChainOptions = {},
): Division {
  let path = "codecs";
  const axes = shape.map((_, axis) => axis);
  let division: Division = { levels: [], transposes: [], axes, shape, codecs, path };
  for (;;) {
    const { levels, transposes } = division;
    const codecs = division.codecs.map(spelledOut);
    const at = codecs.findIndex(({ name }) => name === "sharding_indexed");
    const before = codecs.slice(0, at);
    const areTransposes = before.every((codec) => isTranspose(codec, shape.length));
    if (at === -1 || at < codecs.length - 1 || !areTransposes) return division;
    const inOrder = before.reduce<Pick<Division, "axes" | "shape">>(transposed, division);
    const sharding = codecs[at] as NamedConfiguration;
    const layout = resolveShard(sharding, inOrder.shape, options, `${path}[${at}]`);
    const lists = sharding.configuration as Lists;
    path = `${path}[${at}].configuration.codecs`;
    const { axes } = inOrder;
    const grid = inOrderOf(axes, layout.gridShape);
    division = {
      levels: [...levels, { layout, axes, grid, indexCodecs: lists.index_codecs }],
      transposes: [...transposes, ...before],
      axes,
      shape: layout.chunkShape,
      codecs: lists.codecs,
      path,
    };
  }
}

/** Returns lengths along `axes` in the order of the array's axes. */
export function inOrderOf(axes: readonly number[], lengths: readonly number[]): number[] {
  const result: number[] = [];
  for (const [i, axis] of axes.entries()) result[axis] = lengths[i] as number;
  return result;
}

const spelledOut = (codec: CodecMetadata): NamedConfiguration =>
  typeof codec === "string" ? { name: codec } : codec;

/** Returns whether a codec is a transpose; one with an invalid order is none here, and rejected where it is decoded. */
function isTranspose(codec: NamedConfiguration, rank: number): boolean {
  return codec.name === "transpose" && isPermutation(orderOf(codec), rank);
}

const orderOf = ({ configuration }: NamedConfiguration) => configuration?.order as number[];

/** Applies a transpose to axes and their lengths. */
export function transposed({ axes, shape }: Pick<Division, "axes" | "shape">, codec: NamedConfiguration) {
  const order = orderOf(codec);
  const take = (items: readonly number[]) => order.map((axis) => items[axis] as number);
  return { axes: take(axes), shape: take(shape) };
}

/**
 * Resolves a codec `sharding_indexed`, whatever its inner chunks are: their data type and codecs may be of others.
 *
 * @param path of the codec in the metadata
 * @throws InvalidMetadataError
 */
function resolveShard(
  codec: NamedConfiguration,
  shape: readonly number[],
  options: ArrayChainOptions,
  path: string,
): ShardLayout {
  const configuration = { ...codec.configuration, codecs: ["other"] };
  const metadata = { dataType: "uint8", shape, codecs: [{ ...codec, configuration }], fillValue: 0 };
  try {
    const request = {
      ...requestFor(metadata, options),
      external: [{ path: "codecs[0].configuration.codecs[0]", kind: "array_to_bytes" }],
    };
    const { steps } = resolve(request);
    return shardLayout(steps.find(({ kind }) => kind === "shard") as ShardStep, request);
  } catch (error) {
    throw withPath(error, "codecs[0]", path);
  }
}

/** Replaces the start of the path in an error about metadata. Returns any other error unchanged. */
export function withPath(error: unknown, start: string, path: string): unknown {
  if (!(error instanceof InvalidMetadataError)) return error;
  const located = (text: string) => text.replace(start, path);
  return new InvalidMetadataError(located(error.message), { path: located(error.path) });
}

/** The units of an array: its chunks, or whole shards. */

import type { Awaitable } from "../awaitable.js";
import { type CodecRegistry, coordinatesOf, divide, fillComponents, loadCodecChain } from "../core.js";
import { InvalidMetadataError } from "../errors.js";
import type { ArrayMetadata } from "../metadata.js";
import { countOf } from "../stride.js";
import { isUnderstood, loadBytesCheck } from "./check.js";
import { ChunkUnit } from "./chunk-unit.js";
import type { StoreNode } from "./hierarchy.js";
import { type ArrayLayout, arrayLayout, chunkShapeAt, originOf } from "./layout.js";
import type { Outcome } from "./outcome.js";
import type { Requests } from "./requests.js";
import { ShardUnit } from "./shard-unit.js";
import { keyIn, type StoreKey } from "./store.js";

/** What units are verified with. */
export interface Verifying {
  readonly requests: Requests;
  readonly codecs: CodecRegistry | undefined;
  readonly retries: number;
  /** Whether inner chunks that are missing are reported. */
  readonly reportsMissing: boolean;
  /** Whether inner chunks that are sound are reported. */
  readonly reportsInner: boolean;
  /** Arrays by what their chunks depend on: a store may have 100,000 arrays that are alike, with codecs they share. */
  readonly known: Map<string, ArrayUnits>;
}

/** The number of shapes of chunks for which codecs are kept. */
const MOST_SHAPES = 64;

export class ArrayUnits {
  readonly path: StoreKey;
  readonly layout: ArrayLayout;
  /** The number of units. */
  readonly count: number;
  /** How many bytes of memory verifying a unit takes, about: the first one, where their shapes differ. */
  #memory = 0;
  readonly #verifying: Verifying;
  /** By the shapes of their chunks. */
  readonly #units: Map<string, Promise<ChunkUnit | ShardUnit>>;
  /** That of all chunks, if they have one shape. */
  #only: ChunkUnit | ShardUnit | undefined;

  /** @param like an array whose chunks have the same form */
  private constructor(path: StoreKey, layout: ArrayLayout, verifying: Verifying, like?: ArrayUnits) {
    this.path = path;
    this.layout = like ? sharedLayout(layout, like.layout) : layout;
    this.count = countOf(layout.grid);
    this.#verifying = verifying;
    this.#units = like ? like.#units : new Map();
    this.#memory = like ? like.#memory : 0;
    this.#only = like ? like.#only : undefined;
  }

  /** Reads how an array is divided, and loads its codecs. @throws InvalidMetadataError */
  static async load({ path, metadata }: StoreNode, verifying: Verifying): Promise<ArrayUnits> {
    const layout = arrayLayout(metadata);
    const form = formOf(metadata, layout, verifying);
    const like = verifying.known.get(form);
    const units = new ArrayUnits(path, layout, verifying, like);
    if (units.count === 0 || like) return units;
    const first = chunkShapeAt(
      layout,
      layout.grid.map(() => 0),
    );
    await expectChain(metadata as unknown as ArrayMetadata, layout, first, verifying.codecs);
    const unit = await units.#unitOf(first);
    units.#memory = unit.memory;
    if (layout.isRegular) units.#only = unit;
    verifying.known.set(form, units);
    return units;
  }

  get memory(): number {
    return this.#memory;
  }

  /** Returns the position of a unit in the grid. */
  positionOf(number: number): readonly number[] {
    return coordinatesOf(number, this.layout.grid);
  }

  /** Returns the key of a unit. */
  keyOf(position: readonly number[]): StoreKey {
    return keyIn(this.path, this.layout.keys.encode(position));
  }

  verify(position: readonly number[]): Awaitable<Outcome> {
    return this.#only ? this.#verifyBy(this.#only, position) : this.#verifyOfShape(position);
  }

  #verifyBy(unit: ChunkUnit | ShardUnit, position: readonly number[]): Awaitable<Outcome> {
    const key = this.keyOf(position);
    return unit instanceof ChunkUnit ? unit.verify(key) : unit.verify(key, originOf(this.layout, position));
  }

  /** Verifies a unit of an array whose units differ in shape. */
  async #verifyOfShape(position: readonly number[]): Promise<Outcome> {
    try {
      return await this.#verifyBy(await this.#unitAt(position), position);
    } catch (error) {
      // The codecs do not allow the shape of this chunk.
      if (error instanceof InvalidMetadataError) return { state: "damaged", proof: "none", chunks: 0, error };
      throw error;
    }
  }

  #unitAt(position: readonly number[]): Promise<ChunkUnit | ShardUnit> {
    const shape = chunkShapeAt(this.layout, position);
    const name = shape.join();
    const known = this.#units.get(name);
    if (known) return known;
    if (this.#units.size === MOST_SHAPES) this.#units.clear();
    const loading = this.#unitOf(shape);
    this.#units.set(name, loading);
    return loading;
  }

  async #unitOf(shape: readonly number[]): Promise<ChunkUnit | ShardUnit> {
    const { requests, codecs: registry, retries, reportsMissing, reportsInner } = this.#verifying;
    const { dataType, fillValue, codecs, shape: arrayShape } = this.layout;
    const division = divide(shape, codecs);
    const chain = { dataType, shape: division.shape, codecs: division.codecs, fillValue };
    const check = await loadBytesCheck(chain, registry);
    if (division.levels.length === 0) return new ChunkUnit(requests, check, retries);
    const missing = reportsMissing ? { arrayShape, shape } : undefined;
    return new ShardUnit({ requests, division, check, retries, missing, reportsInner });
  }
}

/** Returns a layout that shares with another one what is the same. */
function sharedLayout(layout: ArrayLayout, like: ArrayLayout): ArrayLayout {
  const isSame = layout.shape.every((length, axis) => length === like.shape[axis]);
  return isSame ? like : { ...layout, dataType: like.dataType, codecs: like.codecs };
}

/** Returns what the form of chunks depends on: all metadata but attributes and, for a regular grid, the shape of the array. */
function formOf(
  { attributes: _, ...metadata }: StoreNode["metadata"],
  layout: ArrayLayout,
  verifying: Verifying,
) {
  const isOfAnyShape = layout.isRegular && !verifying.reportsMissing;
  return JSON.stringify(isOfAnyShape ? { ...metadata, shape: layout.shape.length } : metadata);
}

/** Checks the metadata of an array as a whole, if everything in them is known. @throws InvalidMetadataError */
async function expectChain(
  metadata: ArrayMetadata,
  layout: ArrayLayout,
  chunkShape: readonly number[],
  codecs: CodecRegistry | undefined,
): Promise<void> {
  try {
    await loadCodecChain(metadata, { codecs, ...(!layout.isRegular && { chunkShape }) });
    expectFillValue(layout);
  } catch (error) {
    if (!(error instanceof InvalidMetadataError) || isUnderstood(layout, codecs)) throw error;
  }
}

/** Checks the fill value, which chains read for shards only, and whoever opens an array always. @throws InvalidMetadataError */
function expectFillValue({ dataType, fillValue }: ArrayLayout): void {
  // Rust has memory for metadata of bounded size: neither for fill values of any length nor, below, for elements of any length.
  if (JSON.stringify(fillValue ?? null).length > LONGEST_FILL_VALUE) return;
  try {
    fillComponents(dataType, fillValue);
  } catch (error) {
    if (!(error instanceof InvalidMetadataError) || error.path !== "data_type") throw error;
  }
}

/** In characters of JSON. */
const LONGEST_FILL_VALUE = 1000;

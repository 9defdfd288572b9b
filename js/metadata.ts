/** Codec metadata as users write it, and the plain copy of it that Rust reads. */

import { describe, InvalidMetadataError, invalidMetadata, truncate } from "./errors.js";
import type { DataType } from "./typed-array.js";

/**
 * A Zarr extension object.
 *
 * Specification: [core, "Extension definition"](https://zarr-specs.readthedocs.io/en/latest/v3/core/#extension-definition).
 */
export interface NamedConfiguration<N extends string = string> {
  readonly name: N;
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
}

/** A codec in Zarr metadata: an object, or the name of a codec without configuration. */
export type CodecMetadata =
  | string
  | (NamedConfiguration & { readonly must_understand?: boolean | undefined });

/**
 * The name of a data type in metadata: a known one, or a `string`, as in metadata from a file or not written `as const`,
 * which is checked at run time.
 */
export type DataTypeName<D extends string> = (D & DataType) | (string extends D ? string : DataType);

/** The metadata of a codec chain. */
export interface ChainMetadata<D extends string = DataType> {
  /** The data type: its name, or an object with its name. */
  readonly dataType: D | NamedConfiguration<D>;
  /** The shape of one chunk, in elements; `[]` for a chunk of one element. */
  readonly shape: readonly number[];
  /** The codecs, in the order in which encoding applies them. */
  readonly codecs: readonly CodecMetadata[];
  /** The fill value of the array as in its metadata: for `sharding_indexed`, and for external codecs that ask for it. */
  readonly fillValue?: unknown;
}

/**
 * The metadata of an array (the parsed `zarr.json`), as far as chunks are concerned.
 *
 * Specification: [core, "Array metadata"](https://zarr-specs.readthedocs.io/en/latest/v3/core/#array-metadata).
 */
export interface ArrayMetadata<D extends string = string> {
  readonly zarr_format?: number | undefined;
  readonly node_type?: string | undefined;
  /** The shape of the array, in elements. */
  readonly shape?: readonly number[] | undefined;
  readonly data_type: D | NamedConfiguration<D>;
  readonly chunk_grid: NamedConfiguration;
  readonly codecs: readonly CodecMetadata[];
  readonly fill_value?: unknown;
  readonly storage_transformers?: readonly unknown[] | undefined;
}

/** The members of an array's metadata that Rust reads. The others, above all `attributes`, may be of any size. */
const ARRAY_MEMBERS = [
  "zarr_format",
  "node_type",
  "data_type",
  "chunk_grid",
  "codecs",
  "storage_transformers",
];

// Limits that fit into Rust's memory for metadata (crates/module/src/lib.rs): several times what real metadata needs.
const DEEPEST = 16;
const LIMITS: Limits = { values: 1024, characters: 16 * 1024 };
/** Limits of a data type alone: a `struct` may have hundreds of fields. */
const DATA_TYPE_LIMITS: Limits = { values: 2560, characters: 32 * 1024 };
const DATA_TYPE_MEMBERS = ["data_type", "dataType"];

/** How large metadata may be. Names of members count as values. */
interface Limits {
  readonly values: number;
  readonly characters: number;
}

/**
 * Copies metadata as plain data of bounded size. Reads the caller's object once, so that getters and proxies cannot change
 * it between check and use.
 *
 * @throws InvalidMetadataError
 */
export function copyMetadata(metadata: unknown): unknown {
  return new Copy().value(metadata, "", 0);
}

/** Members that only the metadata of a node of a store has: without `data_type`, an array lacks it. */
const NODE_MEMBERS = ["data_type", "chunk_grid", "zarr_format", "node_type"];

/** Returns whether metadata is that of an array, rather than of a chain. */
export function isArrayMetadata(metadata: unknown): metadata is ArrayMetadata {
  if (typeof metadata !== "object" || metadata === null) return false;
  return reading("", () => !("dataType" in metadata) && NODE_MEMBERS.some((member) => member in metadata));
}

/** Copies the members of an array's metadata that Rust reads. */
export function copyArrayMetadata(metadata: unknown): unknown {
  return new Copy().arrayMetadata(metadata);
}

class Copy {
  readonly #limits: Limits;
  #values = 0;
  #characters = 0;

  constructor(limits = LIMITS) {
    this.#limits = limits;
  }

  value(value: unknown, path: string, depth: number): unknown {
    this.#count(path, depth, typeof value === "string" ? value.length : 0);
    switch (typeof value) {
      case "string":
      case "number":
      case "boolean":
        return value;
      case "object":
        return value === null ? null : reading(path, () => this.#object(value, path, depth));
    }
    throw invalidMetadata(named(path), "JSON data", describe(value));
  }

  #object(object: object, path: string, depth: number): unknown {
    if (Array.isArray(object)) {
      return Array.from({ length: object.length }, (_, i) =>
        this.value(object[i], `${path}[${i}]`, depth + 1),
      );
    }
    // Plain objects only: a Map or a Date would pass for an empty object.
    const prototype = Object.getPrototypeOf(object);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw invalidMetadata(named(path), "JSON data", describe(object));
    }
    const names = Object.keys(object);
    if (depth > 0) return this.#members(object, names, path, depth);
    const others = names.filter((name) => name !== "fillValue");
    return this.#chainMembers(object, others, "fillValue");
  }

  /** Copies the relevant members of an array's metadata; copies anything but an object whole. */
  arrayMetadata(metadata: unknown): unknown {
    return reading("", () =>
      typeof metadata === "object" && metadata !== null && !Array.isArray(metadata)
        ? this.#chainMembers(metadata, ARRAY_MEMBERS, "fill_value")
        : this.value(metadata, "", 0),
    );
  }

  /** Copies members of the metadata of a chain; the fill value only if decoding needs it, because others may be of any size. */
  #chainMembers(metadata: object, names: string[], fillValue: string): object {
    const members = this.#members(metadata, names, "", 0) as { codecs?: unknown };
    if (!Array.isArray(members.codecs) || !members.codecs.some(needsFillValue)) return members;
    return { ...members, ...this.#members(metadata, [fillValue], "", 0) };
  }

  /** Copies members of an object; an undefined one counts as absent, as in JSON. */
  #members(object: object, names: string[], path: string, depth: number): object {
    const members: [string, unknown][] = [];
    for (const name of names) {
      const value: unknown = Reflect.get(object, name);
      const memberPath = path === "" ? truncate(name) : `${path}.${truncate(name)}`;
      this.#count(path, depth, name.length);
      if (value === undefined) continue;
      const isDataType = depth === 0 && DATA_TYPE_MEMBERS.includes(name);
      const copy = isDataType ? new Copy(DATA_TYPE_LIMITS) : this;
      members.push([name, copy.value(value, memberPath, depth + 1)]);
    }
    return Object.fromEntries(members);
  }

  #count(path: string, depth: number, characters: number): void {
    this.#values += 1;
    this.#characters += characters;
    const { values, characters: most } = this.#limits;
    if (this.#values > values) throw tooLarge(path, `of at most ${values} values`);
    if (this.#characters > most) throw tooLarge(path, `of at most ${most} characters`);
    if (depth > DEEPEST) throw tooLarge(path, `at most ${DEEPEST} levels deep`);
  }
}

/** Calls `read`, which may run the caller's getters and proxies. */
function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof InvalidMetadataError) throw cause;
    throw new InvalidMetadataError(`${named(path)}: could not be read`, { path: named(path) }, { cause });
  }
}

/** Returns whether decoding with a codec needs the fill value. */
const needsFillValue = (codec: { name?: unknown } | null): boolean => codec?.name === "sharding_indexed";

/** Names a path in errors, where that of the metadata as a whole is empty. */
const named = (path: string) => path || "metadata";

const tooLarge = (path: string, expected: string) =>
  invalidMetadata(named(path), `metadata ${expected}`, "more");

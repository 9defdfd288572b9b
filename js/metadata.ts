/** Codec metadata as users write it, and the plain copy of it that Rust judges. */

import { cut, describe, InvalidMetadataError } from "./errors.js";
import type { DataType } from "./typed-array.js";

/** A Zarr extension object. */
export interface NamedConfiguration<N extends string = string> {
  readonly name: N;
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
}

/** A codec in Zarr metadata: an object or, for a codec without configuration, its name alone. */
export type CodecMetadata =
  | string
  | (NamedConfiguration & { readonly must_understand?: boolean | undefined });

/**
 * What metadata may name as data type: one that is known, or a `string` as in metadata that are not written `as const`
 * or come from a file, of which only running tells whether it is a data type.
 */
export type DataTypeName<D extends string> = (D & DataType) | (string extends D ? string : DataType);

/** What a codec chain is made from. */
export interface ChainMetadata<D extends string = DataType> {
  /** The data type: its name, or an object with its name. */
  readonly dataType: D | NamedConfiguration<D>;
  /** The shape of one chunk, in elements; `[]` is a chunk of one element. */
  readonly shape: readonly number[];
  /** The codecs, in the order in which encoding applies them. */
  readonly codecs: readonly CodecMetadata[];
}

/** The metadata of an array (the parsed `zarr.json`), as far as codecs are concerned. */
export interface ArrayMetadata {
  readonly data_type: string | NamedConfiguration;
  readonly chunk_grid: NamedConfiguration;
  readonly codecs: readonly CodecMetadata[];
}

/** The members of an array's metadata that Rust looks at: the others, `attributes` above all, may be of any size. */
const ARRAY_MEMBERS = [
  "zarr_format",
  "node_type",
  "data_type",
  "chunk_grid",
  "codecs",
  "storage_transformers",
];

// What fits into the memory that Rust has for metadata (module/src/lib.rs), several times what real metadata needs.
const MOST_VALUES = 1024;
const MOST_CHARACTERS = 16 * 1024;
const DEEPEST = 16;

/**
 * A copy of metadata as plain data. The caller's object is read once, so that getters and proxies cannot change it
 * between its check and its use, and no further than metadata goes.
 */
export function copyMetadata(metadata: unknown): unknown {
  return new Copy().value(metadata, "", 0);
}

/**
 * The same from the metadata of an array.
 */
export function copyArrayMetadata(metadata: unknown): unknown {
  return new Copy().arrayMetadata(metadata);
}

class Copy {
  #values = 0;
  #characters = 0;

  value(value: unknown, path: string, depth: number): unknown {
    this.#count(path, depth, typeof value === "string" ? value.length : 0);
    switch (typeof value) {
      case "string":
      case "number":
      case "boolean":
        return value;
      case "object":
        return value === null ? null : this.#read(path, () => this.#object(value, path, depth));
    }
    throw invalid(path, "JSON data", describe(value));
  }

  #object(object: object, path: string, depth: number): unknown {
    if (Array.isArray(object)) {
      return Array.from({ length: object.length }, (_, i) =>
        this.value(object[i], `${path}[${i}]`, depth + 1),
      );
    }
    // Plain objects only: a Map or a Date has no members to speak of, and would pass for an empty object.
    const prototype = Object.getPrototypeOf(object);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw invalid(path, "JSON data", describe(object));
    }
    return this.members(object, Object.keys(object), path, depth);
  }

  /** Those members of an array's metadata that matter; anything but an object as it is. */
  arrayMetadata(metadata: unknown): unknown {
    return this.#read("", () =>
      typeof metadata === "object" && metadata !== null && !Array.isArray(metadata)
        ? this.members(metadata, ARRAY_MEMBERS, "", 0)
        : this.value(metadata, "", 0),
    );
  }

  /** The members of an object; one that is undefined is absent, as it is in JSON. */
  members(object: object, names: string[], path: string, depth: number): unknown {
    return this.#read(path, () => {
      const members: [string, unknown][] = [];
      for (const name of names) {
        const value: unknown = Reflect.get(object, name);
        const memberPath = path === "" ? cut(name) : `${path}.${cut(name)}`;
        this.#count(path, depth, name.length);
        if (value !== undefined) members.push([name, this.value(value, memberPath, depth + 1)]);
      }
      return Object.fromEntries(members);
    });
  }

  #count(path: string, depth: number, characters: number): void {
    this.#values += 1;
    this.#characters += characters;
    if (this.#values > MOST_VALUES) throw invalid(path, `metadata of at most ${MOST_VALUES} values`, "more");
    if (this.#characters > MOST_CHARACTERS) {
      throw invalid(path, `metadata of at most ${MOST_CHARACTERS} characters`, "more");
    }
    if (depth > DEEPEST) throw invalid(path, `metadata at most ${DEEPEST} levels deep`, "more");
  }

  /** Runs what may call the user's getters and proxies. */
  #read<T>(path: string, read: () => T): T {
    try {
      return read();
    } catch (cause) {
      if (cause instanceof InvalidMetadataError) throw cause;
      throw invalid(path, "readable metadata", "an error while reading it", { cause });
    }
  }
}

function invalid(path: string, expected: string, got: string, options?: ErrorOptions): InvalidMetadataError {
  const where = path === "" ? "metadata" : path;
  return new InvalidMetadataError(`${where}: expected ${expected}, got ${got}`, { path: where }, options);
}

// Arrays of Zarr v2, with the metadata of v3: everything else reads them like others.

import { defineStoreExtension } from "zarrita";

/**
 * @typedef {Record<string, any>} Json
 * @typedef {import("zarr-codecs/verify").StoreKey} StoreKey
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Wraps a store so that nodes of Zarr v2 have a `zarr.json`. */
export const withVersion2 = defineStoreExtension((store) => {
  /** What `.zmetadata` contains, read when a node of v2 is. @type {Promise<Json | undefined> | undefined} */
  let consolidated;
  const readJson = async (/** @type {StoreKey} */ key) => {
    const bytes = await store.get(key);
    return bytes && JSON.parse(decoder.decode(bytes));
  };
  const metadataOf = async (/** @type {string} */ path, /** @type {string} */ name) => {
    consolidated ??= readJson("/.zmetadata").then((file) => file?.metadata);
    const known = await consolidated;
    if (known) return known[`${path}/${name}`.slice(1)];
    return readJson(/** @type {StoreKey} */ (`${path}/${name}`));
  };
  const translated = async (/** @type {string} */ path) => {
    const array = await metadataOf(path, ".zarray");
    const group = array ? undefined : await metadataOf(path, ".zgroup");
    if (!array && !group) return undefined;
    const attributes = (await metadataOf(path, ".zattrs")) ?? {};
    return array
      ? arrayMetadata(array, attributes)
      : groupMetadata(attributes, path === "" ? await consolidated : undefined);
  };
  return {
    async get(key, options) {
      const bytes = await store.get(key, options);
      if (bytes !== undefined || !key.endsWith("/zarr.json")) return bytes;
      const metadata = await translated(key.slice(0, -"/zarr.json".length));
      return metadata && encoder.encode(JSON.stringify(metadata));
    },
  };
});

/** @param {Json} attributes @param {Json} [consolidated] of the whole store @returns {Json} */
function groupMetadata(attributes, consolidated) {
  const metadata = { zarr_format: 3, node_type: "group", attributes };
  if (consolidated === undefined) return metadata;
  const known = consolidated;
  const paths = Object.keys(known).filter((key) => /\/\.z(array|group)$/.test(key));
  const nodes = paths.map((key) => {
    const path = key.slice(0, key.lastIndexOf("/"));
    const others = known[`${path}/.zattrs`] ?? {};
    return [path, key.endsWith(".zarray") ? arrayMetadata(known[key], others) : groupMetadata(others)];
  });
  return { ...metadata, consolidated_metadata: { kind: "inline", metadata: Object.fromEntries(nodes) } };
}

/** Codecs of v2 whose input is elements. */
const OF_ELEMENTS = ["delta", "bitround", "fixedscaleoffset", "astype", "quantize"];
/** Codecs of v2 that turn objects into bytes. */
const OF_OBJECTS = ["vlen-utf8", "vlen-bytes", "vlen-array", "json2", "msgpack2", "pickle"];

/** @param {Json} array @param {Json} attributes @returns {Json} */
function arrayMetadata(array, attributes) {
  const {
    shape,
    chunks,
    dtype,
    fill_value: fill,
    order,
    compressor,
    dimension_separator: separator = ".",
  } = array;
  const { type, endian, empty } = dataType(dtype);
  /** @type {Json[]} */
  const filters = array.filters ?? [];
  const named = (/** @type {Json} */ { id, ...configuration }) => ({
    name: `numcodecs.${id}`,
    configuration,
  });
  const isOf = (/** @type {string[]} */ ids) => filters.filter(({ id }) => ids.includes(id)).map(named);
  const others = filters.filter(({ id }) => ![...OF_ELEMENTS, ...OF_OBJECTS].includes(id)).map(named);
  const objects = isOf(OF_OBJECTS).map((codec) =>
    codec.name.endsWith("utf8") ? { name: "vlen-utf8" } : codec,
  );
  const reversed = shape.map((/** @type {number} */ _, /** @type {number} */ axis) => axis).reverse();
  return {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: type,
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunks } },
    chunk_key_encoding: { name: "v2", configuration: { separator } },
    fill_value: fill ?? empty,
    codecs: [
      ...(order === "F" && shape.length > 1
        ? [{ name: "transpose", configuration: { order: reversed } }]
        : []),
      ...isOf(OF_ELEMENTS),
      ...(objects.length > 0 ? objects : [{ name: "bytes", configuration: { endian } }]),
      ...others,
      ...(compressor ? [named(compressor)] : []),
    ],
    attributes,
    dimension_names: attributes._ARRAY_DIMENSIONS,
  };
}

/** @type {Record<string, string>} */
const PREFIXES = { i: "int", u: "uint", f: "float", c: "complex" };

/**
 * Translates a data type of NumPy, and returns a fill value for arrays that have none.
 *
 * @param {unknown} dtype
 * @returns {{ type: unknown, endian: "little" | "big", empty: unknown }}
 */
function dataType(dtype) {
  if (Array.isArray(dtype)) {
    const fields = dtype.map(([name, type]) => ({ name, data_type: dataType(type).type }));
    return { type: { name: "struct", configuration: { fields } }, endian: "little", empty: {} };
  }
  const [, order, kind, size, unit] = /^([<>|=])([a-zA-Z])(\d*)(?:\[(.*)\])?$/.exec(String(dtype)) ?? [];
  const endian = order === ">" ? "big" : "little";
  const bytes = Number(size);
  const of = (/** @type {unknown} */ type, /** @type {unknown} */ empty = 0) => ({
    type,
    endian: /** @type {"little" | "big"} */ (endian),
    empty,
  });
  const sized = (/** @type {string} */ name) => ({ name, configuration: { length_bytes: bytes } });
  if (kind === "O") return of("string", "");
  if (kind === "b") return of("bool", false);
  if (kind === "c") return of(`complex${8 * bytes}`, [0, 0]);
  if (PREFIXES[kind]) return of(`${PREFIXES[kind]}${8 * bytes}`);
  if (kind === "S") return of(sized("null_terminated_bytes"), "");
  if (kind === "U") return of({ name: "fixed_length_utf32", configuration: { length_bytes: 4 * bytes } }, "");
  if (kind === "V") return of(`r${8 * bytes}`, new Array(bytes).fill(0));
  if (kind === "M" || kind === "m") {
    const [, scale, name] = /^(\d*)(.*)$/.exec(unit ?? "generic") ?? [];
    const configuration = { unit: name, scale_factor: Number(scale || 1) };
    return of({ name: kind === "M" ? "numpy.datetime64" : "numpy.timedelta64", configuration });
  }
  return of(String(dtype));
}

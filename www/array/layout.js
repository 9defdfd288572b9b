// How an array is cut into chunks, and under which keys they are stored.

const OURS = ["bytes", "endian", "crc32c"];

/** The name of a codec, which may be in short-hand. */
export const codecName = (codec) => (typeof codec === "string" ? codec : codec.name);

/**
 * The chunks of an array; of one with shards, the chunks inside them.
 *
 * @param {Record<string, any>} metadata the parsed zarr.json
 */
export function chunkLayout(metadata) {
  const { shape, data_type: dataType, chunk_grid: chunkGrid, codecs } = metadata;
  const stored = chunkGrid?.configuration?.chunk_shape;
  if (!Array.isArray(stored)) throw new Error("chunk_grid: only regular grids can be shown");
  const [first, ...others] = codecs;
  const shard =
    codecName(first) === "sharding_indexed" && others.length === 0 ? first.configuration : undefined;
  const chunkShape = shard?.chunk_shape ?? stored;
  const grid = shape.map((length, axis) => Math.ceil(length / chunkShape[axis]));
  const chunksPerShard = shard && stored.map((length, axis) => length / chunkShape[axis]);
  const keyOf = chunkKeys(metadata.chunk_key_encoding);
  return {
    dataType,
    shape,
    chunkShape,
    codecs: shard?.codecs ?? codecs,
    grid,
    chunks: product(grid),
    shard: shard && {
      shape: stored,
      chunks: chunksPerShard,
      indexCodecs: shard.index_codecs,
      isIndexFirst: shard.index_location === "start",
    },
    /** Where the chunk at a position of the grid is: the key of its file, and its number in the shard. */
    locate(position) {
      if (!shard) return { key: keyOf(position) };
      const inner = position.map((at, axis) => at % chunksPerShard[axis]);
      return {
        key: keyOf(position.map((at, axis) => Math.floor(at / chunksPerShard[axis]))),
        entry: ravel(inner, chunksPerShard),
        inner,
      };
    },
  };
}

/** Whether `bytes` and `crc32c` are all there is between the elements and what is stored. */
export const isOurs = (codecs) => codecs.every((codec) => OURS.includes(codecName(codec)));

export const hasChecksum = (codecs) => codecName(codecs.at(-1)) === "crc32c";

/** What people call a chunk: its key, and where in the shard it is. */
export function chunkLabel(path, layout, position) {
  const { key, inner } = layout.locate(position);
  const fullKey = path === "/" ? key : `${path.slice(1)}/${key}`;
  return inner ? `${fullKey} [${inner.join(", ")}]` : fullKey;
}

function chunkKeys(encoding) {
  const name = codecName(encoding ?? "default");
  const separator = encoding?.configuration?.separator ?? (name === "v2" ? "." : "/");
  if (name === "v2") return (position) => position.join(separator) || "0";
  return (position) => ["c", ...position].join(separator);
}

export const product = (numbers) => numbers.reduce((result, number) => result * number, 1);

/** The number, in C order, of a position. */
export const ravel = (position, shape) => position.reduce((number, at, axis) => number * shape[axis] + at, 0);

/** The position that has a number in C order. */
export function unravel(number, shape) {
  let rest = number;
  return shape
    .toReversed()
    .map((length) => {
      const at = rest % length;
      rest = (rest - at) / length;
      return at;
    })
    .toReversed();
}

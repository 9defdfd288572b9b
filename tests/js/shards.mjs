// The vectors of shards (tests/vectors/README.md), given as parsed JSON. Runs in Node and in browsers.

/** The number of arrays in each file of tests/vectors/shards, so that a test of none cannot pass. */
export const SHARD_COUNTS = { "zarr-python.json": 54, "tensorstore.json": 53, "zarrs.json": 56 };

/** The number of damages in damaged.json. */
export const SHARD_DAMAGE_COUNT = 868;

/** Returns the configuration of an array's shards. */
export const shardingOf = ({ codecs }) =>
  codecs.find(({ name }) => name === "sharding_indexed").configuration;

/** Returns whether all codecs, those of inner chunks too, are of this package. */
export const isOwn = ({ codecs }) =>
  codecs.every(({ name, configuration }) =>
    name === "sharding_indexed" ? isOwn(configuration) : ["transpose", "bytes", "crc32c"].includes(name),
  );

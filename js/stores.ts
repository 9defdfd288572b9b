/** The stores that `withShards` and `withChecksums` load on first use: one file of the built package. */

export { init } from "./core.js";
export { CheckedStore } from "./zarrita/stores/checked-store.js";
export { ShardedStore } from "./zarrita/stores/sharded-store.js";

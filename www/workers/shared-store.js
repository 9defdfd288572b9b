// A store of one worker that another one reads.

import { expose, wrap } from "comlink";

/** @typedef {import("../store/cached.js").RangeStore} RangeStore */

/** Lets another worker read a store. @param {RangeStore} store @param {MessagePort} port */
export function share(store, port) {
  /** @type {Pick<RangeStore, "get" | "getRange">} */
  const readable = {
    get: (key) => store.get(key),
    getRange: (key, range) => store.getRange(key, range),
  };
  expose(readable, port);
}

/** Reads the store of another worker. @param {MessagePort} port @returns {RangeStore} */
export function sharedStore(port) {
  const remote = /** @type {import("comlink").Remote<RangeStore>} */ (wrap(port));
  return {
    get: (key) => remote.get(key),
    getRange: (key, range) => remote.getRange(key, range),
  };
}

// zarrita with its own codecs: a worker has a copy of zarrita to itself, in which nothing else is registered. It reads what
// another worker has read, so that nothing is requested twice.

import { expose } from "comlink";
import { Reader } from "./reader.js";
import { sharedStore } from "./shared-store.js";

export class BuiltInReader extends Reader {
  constructor() {
    super((store) => store);
  }

  /** Keeps the store of another worker without using it yet. @param {number} opening @param {MessagePort} port */
  prepare(opening, port) {
    this.keep(opening, sharedStore(port));
  }
}

// Of several codecs that zarrita lacks, it throws an error for the first one only, which is shown.
addEventListener("unhandledrejection", (event) => event.preventDefault());

expose(new BuiltInReader());

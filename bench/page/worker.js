// Runs the suite and reports each round and result.

import { CASES } from "../cases.js";
import { loadPeers } from "../peers.js";
import { runSuite } from "../suite.js";

self.onmessage = async ({ data: { names, sizes, rounds } }) => {
  const cases = CASES.filter(({ name }) => names.includes(name));
  try {
    const peers = await loadPeers();
    for (const result of runSuite({ cases, sizes, rounds, peers })) self.postMessage({ result });
    self.postMessage({ done: true });
  } catch (error) {
    // An error in a promise would not reach the page.
    setTimeout(() => {
      throw error;
    });
  }
};

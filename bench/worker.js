// Runs the suite in a browser's worker and reports each agreement, round and result.

import { CASES } from "./cases.js";
import { loadPeers } from "./peers.js";
import { runSuite } from "./suite.js";

self.onmessage = async ({ data: { names, sizes, rounds } }) => {
  const cases = CASES.filter(({ name }) => names.includes(name));
  try {
    const peers = await loadPeers();
    const onAgreement = (agreement) => self.postMessage({ agreement });
    const suite = runSuite({ cases, sizes, rounds, peers, onAgreement });
    for (const result of suite) self.postMessage({ result });
    self.postMessage({ done: true });
  } catch (error) {
    // An error in a promise would not reach the page.
    setTimeout(() => {
      throw error;
    });
  }
};

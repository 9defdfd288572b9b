// Runs the suite in a browser's worker, and reports each result.

import { runDecoders } from "./suite.js";

self.onmessage = async ({ data }) => {
  try {
    for await (const result of runDecoders(data)) self.postMessage({ result });
    self.postMessage({ done: true });
  } catch (error) {
    // An error in a promise would not reach the page.
    setTimeout(() => {
      throw error;
    });
  }
};

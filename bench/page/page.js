// Starts the worker and keeps what it reports until bench/browser.js, which calls both functions, takes it.

/** Drivers limit how long a call may take. */
const PATIENCE_MS = 5_000;

const events = [];
let arrived = () => {};

function add(event) {
  events.push(event);
  arrived();
}

globalThis.startBench = (wanted) => {
  const worker = new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    if (!("agreement" in data)) add(data);
  };
  worker.onerror = ({ message }) => add({ error: message || "The worker could not be loaded" });
  worker.postMessage(wanted);
};

/** Returns the events since the last call, in order; after a while also none. */
globalThis.takeEvents = async () => {
  if (events.length === 0) {
    await new Promise((resolve) => {
      arrived = resolve;
      setTimeout(resolve, PATIENCE_MS);
    });
  }
  return events.splice(0);
};

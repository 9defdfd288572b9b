// Starts the worker with what the address asks for, and posts what it reports to the page's server (bench/browser.js), in order.

/** The suites, each in a worker. */
const SUITES = {
  cases: () => new Worker(new URL("../worker.js", import.meta.url), { type: "module" }),
  decoders: () => new Worker(new URL("../decoders/worker.js", import.meta.url), { type: "module" }),
};

const { suite = "cases", ...wanted } = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const worker = SUITES[suite]();

let posted = Promise.resolve();

function post(event) {
  posted = posted.then(() => fetch("events", { method: "POST", body: JSON.stringify(event) }));
}

worker.onmessage = ({ data }) => {
  if (!("agreement" in data)) post(data);
};
worker.onerror = ({ message }) => post({ error: message || "The worker could not be loaded" });
worker.postMessage(wanted);

// Passes on what the worker reports. Called by bench/browser.js.

globalThis.runBench = (wanted) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
    worker.onmessage = async ({ data }) => {
      if (data.done) resolve();
      else if ("result" in data) await globalThis.onBenchEvent(data.result);
    };
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(wanted);
  });

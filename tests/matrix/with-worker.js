const worker = new Worker("./in-worker.js", { type: "module" });
const report = (seen) => fetch("/", { method: "POST", body: JSON.stringify(seen) });
worker.onmessage = ({ data }) => report(data);
worker.onerror = ({ message }) => report({ failed: message });

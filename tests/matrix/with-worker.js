const worker = new Worker("./in-worker.js", { type: "module" });
const show = (seen) => {
  document.body.textContent = JSON.stringify(seen);
};
worker.onmessage = ({ data }) => show(data);
worker.onerror = ({ message }) => show({ failed: message });

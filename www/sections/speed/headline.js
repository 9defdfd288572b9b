// One figure of this machine, to begin with and to share.

import { h } from "../../ui/dom.js";
import { browserName, cores } from "./host.js";
import { runInWorker } from "./runs.js";

/** The checksum of 1 MiB, which takes about two seconds to measure. */
const RUN = { names: ["crc32c"], sizes: [1 << 20], rounds: 9 };
const PEER = "hash-wasm";

/** @typedef {import("./runs.js").Result} Result */

/** Makes the sentence, and buttons to measure it and to copy it. */
export function createHeadline() {
  const sentence = h("p", { className: "headline", role: "status" }, "How fast is it on this machine?");
  const measure = h("button", { type: "button", className: "primary", onclick: run }, "Measure in 3 s");
  const copy = h("button", { type: "button", hidden: true, onclick: share }, "Copy the sentence");
  let text = "";

  async function run() {
    measure.disabled = true;
    sentence.textContent = "Measuring …";
    /** @type {Result | undefined} */
    let result;
    try {
      await runInWorker(
        RUN,
        (event) => {
          result = event.result ?? result;
        },
        new AbortController().signal,
      );
      text = headlineOf(/** @type {Result} */ (/** @type {unknown} */ (result)));
      copy.hidden = false;
    } catch (error) {
      text = `It could not be measured: ${error.message}`;
    }
    sentence.textContent = text;
    measure.textContent = "Measure again";
    measure.disabled = false;
  }

  async function share() {
    const address = new URL(location.pathname, location.href);
    address.hash = "section=speed";
    const shared = `${text.replace("this machine", `${browserName()}, ${cores()} cores`)} ${address}`;
    try {
      await navigator.clipboard.writeText(shared);
      copy.textContent = "Copied";
    } catch {
      sentence.textContent = shared; // To be copied by hand.
    }
  }

  return h("div", { className: "panel stack" }, sentence, h("div", { className: "row" }, measure, copy));
}

/** Says how fast we are, and how many times as fast as a peer. @param {Result} result */
export function headlineOf({ size, implementations }) {
  const [ours] = implementations;
  const peer = implementations.find(({ name }) => name === PEER);
  const speed = (size / ours.seconds.median / 1e9).toPrecision(2);
  const ratio = peer ? `, ${Number(peer.ratio.median.toPrecision(2))} × ${PEER}` : "";
  return `CRC-32C at ${speed} GB/s${ratio} on this machine.`;
}

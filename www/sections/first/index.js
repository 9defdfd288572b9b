// The first screen: beside what this is, one flipped bit in a chunk of the sample store, without its checksum and with it.

import "./style.css";
import { createCodecChain } from "zarr-codecs";
import { colourTable } from "../../image/colour-maps.js";
import { areaMarks, cross } from "../../image/marks.js";
import { contextOf, h, hex, svg } from "../../ui/dom.js";

/** A chunk of temperatures, stored as big-endian float32 with a crc32c. */
const ARRAY = "sample.zarr/temperature";
const CHUNK = "c/1/1";
/** The element that is broken, as its share of the chunk, and the bit of its first byte. */
const PLACE = 0.55;
const BIT = 0;

/** @param {HTMLElement} section */
export async function mount(section) {
  const place = h("div", { className: "broken-byte", ariaBusy: "true" });
  section.querySelector(".first")?.append(place);
  const load = async (/** @type {string} */ path) => {
    const response = await fetch(new URL(`${ARRAY}/${path}`, document.baseURI));
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return response.arrayBuffer();
  };
  try {
    const [text, encoded] = await Promise.all([load("zarr.json"), load(CHUNK)]);
    const metadata = JSON.parse(new TextDecoder().decode(text));
    place.replaceChildren(...demonstrate(createCodecChain(metadata), new Uint8Array(encoded)));
  } catch (error) {
    place.replaceChildren(h("p", { className: "hint" }, `The example could not be loaded: ${error.message}`));
  }
  place.ariaBusy = "false";
}

/**
 * Flips a bit, and shows what decoding returns without verifying and with it.
 *
 * @param {import("zarr-codecs").CodecChain<any>} chain
 * @param {Uint8Array} encoded
 */
function demonstrate(chain, encoded) {
  const [rows, columns] = chain.shape;
  const element = Math.floor(rows * PLACE) * columns + Math.floor(columns * PLACE);
  const broken = encoded.slice();
  broken[4 * element] ^= 1 << BIT;
  const before = chain.decode(encoded).data;
  const silent = chain.decode(broken, { verify: false }).data;
  const point = /** @type {[number, number]} */ ([Math.floor(element / columns), element % columns]);
  const range = [Math.min(...before), Math.max(...before)];
  const size = [rows, columns];
  const now = `${silent[element].toFixed(1)} °C; it was ${before[element].toFixed(1)}`;
  return [
    figure(
      picture(silent, size, range, cross(point, columns / 90)),
      h("strong", {}, "Checksum ignored"),
      ` No error. One element is ${now}.`,
    ),
    figure(
      picture(
        before,
        size,
        range,
        areaMarks([{ row: 0, column: 0, height: rows, width: columns, isUnreadable: false }], columns / 90),
      ),
      h("strong", { className: "bad" }, "✗ zarr-codecs"),
      ` ${reasonOf(() => chain.decode(broken))}`,
    ),
  ];
}

/** @param {() => unknown} decode */
function reasonOf(decode) {
  try {
    decode();
    return "No error.";
  } catch (error) {
    const { name, stored, computed, diagnosis } = error;
    const { bit, byteOffset } = diagnosis ?? {};
    const where =
      byteOffset === undefined
        ? ""
        : ` If it was one bit: bit ${bit} of byte ${byteOffset.toLocaleString("en")}.`;
    return `${name}: stored ${hex(stored)}, computed ${hex(computed)}.${where}`;
  }
}

/** @param {Node} image @param {...(Node | string)} caption */
const figure = (image, ...caption) => h("figure", {}, image, h("figcaption", {}, ...caption));

/** @param {Float32Array} numbers @param {readonly number[]} size @param {number[]} range @param {SVGElement[]} marks */
function picture(numbers, [rows, columns], [low, high], marks) {
  const canvas = h("canvas", { width: columns, height: rows });
  const image = new ImageData(columns, rows);
  const table = colourTable("viridis");
  for (let i = 0; i < numbers.length; i += 1) {
    const share = Math.max(0, Math.min(255, Math.floor((256 * (numbers[i] - low)) / (high - low))));
    image.data.set([...table.subarray(3 * share, 3 * share + 3), 255], 4 * i);
  }
  contextOf(canvas).putImageData(image, 0, 0);
  const overlay = svg(
    "svg",
    { viewBox: `0 0 ${columns} ${rows}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    ...marks,
  );
  const element = h("div", { className: "picture" }, canvas, overlay);
  element.style.aspectRatio = String(columns / rows);
  element.style.setProperty("--aspect", "2");
  return element;
}

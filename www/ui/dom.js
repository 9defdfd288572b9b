// Makes elements in one expression, and formats what they show.

/** @typedef {Node | string | undefined} Child `undefined` is left out */

/**
 * Makes an HTML element. Sets properties where the element has them, and attributes otherwise.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [properties] skips those that are `undefined`
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name in element) Object.assign(element, { [name]: value });
    else element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/**
 * Makes an SVG element, with attributes.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...Node} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** Returns an element that the page certainly has. @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Returns the 2d context of a canvas that has no other one. @param {HTMLCanvasElement} canvas */
export const contextOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));

/** Returns the 2d context of a canvas whose pixels are read and written. @param {HTMLCanvasElement} canvas */
export const pixelContextOf = (canvas) =>
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));

/**
 * Shows a bitmap in a canvas and closes it.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {ImageBitmap} bitmap
 */
export function showBitmap(canvas, bitmap) {
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
}

/** Makes two columns of terms and values. @param {Record<string, Child>} entries skips those that are `undefined` */
export function facts(entries) {
  const rows = Object.entries(entries).filter(([, value]) => value !== undefined);
  return h(
    "dl",
    { className: "facts" },
    ...rows.flatMap(([term, value]) => [h("dt", {}, term), h("dd", {}, value)]),
  );
}

/** Formats a checksum. @param {number} checksum */
export const hex = (checksum) => `0x${checksum.toString(16).padStart(8, "0")}`;

/** Formats a number of bytes. @param {number} bytes */
export function byteCount(bytes) {
  const units = ["bytes", "kB", "MB", "GB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${(bytes / 1000 ** power).toLocaleString("en", { maximumFractionDigits: power ? 1 : 0 })} ${units[power]}`;
}

// A canvas that shows what a worker painted, with marks, and a point that the pointer and the arrow keys move.

import "./picture.css";
import { h, showBitmap, svg } from "../ui/dom.js";
import { areaMarks, cross } from "./marks.js";

/**
 * @typedef {[row: number, column: number]} Point
 * @typedef {import("./failed-areas.js").Area} Area
 */

/** The greatest aspect ratio: a picture of one row is still a visible strip. */
const FLATTEST = 12;

/** @type {Record<string, Point>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Picture {
  element;
  /** The current point, in pixels of the picture. @type {Point} */
  point = [0, 0];
  #canvas = h("canvas", { width: 1, height: 1 });
  #marks = svg("svg", { "aria-hidden": "true", preserveAspectRatio: "none" });
  /** Shows the point while arrow keys move it; a pointer has its own. */
  #cursor = svg("svg", { "aria-hidden": "true", preserveAspectRatio: "none" });
  /** @type {[height: number, width: number]} */
  #size = [1, 1];
  #onPoint;

  /**
   * @param {string} label
   * @param {(row: number, column: number) => void} onPoint is called when the current point changes
   * @param {(row: number, column: number) => void} [onPick] is called when a point is clicked, or Enter is pressed
   */
  constructor(label, onPoint, onPick) {
    this.#onPoint = onPoint;
    this.element = h(
      "div",
      { className: "picture", tabIndex: 0, role: "application", ariaLabel: label },
      this.#canvas,
      this.#marks,
      this.#cursor,
    );
    this.element.addEventListener("pointermove", (event) => {
      this.#cursor.replaceChildren();
      this.#look(...this.#pointAt(event));
    });
    this.element.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (step) {
        this.#look(this.point[0] + step[0], this.point[1] + step[1]);
        this.#cursor.replaceChildren(...cross(this.point, this.#pixel));
      } else if (onPick && ["Enter", " "].includes(event.key)) onPick(...this.point);
      else return;
      event.preventDefault();
    });
    if (!onPick) return;
    this.element.classList.add("pickable");
    this.element.addEventListener("click", (event) => {
      this.#look(...this.#pointAt(event));
      onPick(...this.point);
    });
  }

  /** Shows a bitmap, and closes it. @param {{ bitmap: ImageBitmap }} rendered */
  draw({ bitmap }) {
    const { width, height } = bitmap;
    this.element.hidden = false;
    showBitmap(this.#canvas, bitmap);
    if (String(this.#size) !== String([height, width])) {
      this.point = [height >> 1, width >> 1];
      this.#cursor.replaceChildren();
    }
    this.#size = [height, width];
    for (const layer of [this.#marks, this.#cursor]) layer.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const aspect = Math.min(FLATTEST, width / height);
    this.element.style.aspectRatio = String(aspect);
    this.element.style.setProperty("--aspect", String(aspect));
  }

  /**
   * Marks areas that could not be decoded, and a point.
   *
   * @param {Area[]} areas
   * @param {Point} [target]
   */
  mark(areas, target) {
    const pixel = this.#pixel;
    const ring = target ? [svg("g", { class: "target" }, ...cross(target, pixel))] : [];
    this.#marks.replaceChildren(...areaMarks(areas, pixel), ...ring);
  }

  /** A length that looks the same in pictures of any size. */
  get #pixel() {
    return Math.max(...this.#size) / 160;
  }

  /** @param {PointerEvent | MouseEvent} event @returns {Point} */
  #pointAt({ clientX, clientY }) {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    return [((clientY - top) / height) * this.#size[0], ((clientX - left) / width) * this.#size[1]];
  }

  /** @param {number} row @param {number} column */
  #look(row, column) {
    /** @param {number} at @param {number} length */
    const within = (at, length) => Math.max(0, Math.min(length - 1, Math.floor(at)));
    /** @type {Point} */
    const point = [within(row, this.#size[0]), within(column, this.#size[1])];
    if (point[0] === this.point[0] && point[1] === this.point[1]) return;
    this.point = point;
    this.#onPoint(...point);
  }
}

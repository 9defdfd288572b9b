// Which part of an array a stage shows, and where on the screen its elements are.

import { zoomIdentity } from "d3-zoom";

/**
 * @typedef {import("./pyramid.js").Pair} Pair
 * @typedef {[rows: Pair, columns: Pair]} Extent from the first to the last, in elements as they are displayed
 */

/** How large an element can become, in pixels. */
const LARGEST = 48;

export class Camera {
  /** The rows and columns of the array. @type {Pair} */
  size = [1, 1];
  /** The height and width of the stage, in pixels. @type {Pair} */
  box = [1, 1];
  /** How far the picture is enlarged and moved; 1 shows all of it. */
  transform = zoomIdentity;

  /** How many pixels an element has where the whole array is shown. @returns {Pair} */
  get #base() {
    return [this.box[0] / this.size[0], this.box[1] / this.size[1]];
  }

  /** How many pixels an element has. @returns {Pair} */
  get scale() {
    const [down, across] = this.#base;
    return [down * this.transform.k, across * this.transform.k];
  }

  /** How far a picture can be enlarged. */
  get mostZoom() {
    return Math.max(1, LARGEST / Math.min(...this.#base));
  }

  /** All of the array. @returns {Extent} */
  get whole() {
    return [
      [0, this.size[0]],
      [0, this.size[1]],
    ];
  }

  /** The visible part. @returns {Extent} */
  get extent() {
    const { x, y } = this.transform;
    const [down, across] = this.scale;
    /** @param {number} first @param {number} length @param {number} most @returns {Pair} */
    const clamped = (first, length, most) => [Math.max(0, first), Math.min(most, first + length)];
    return [
      clamped(-y / down, this.box[0] / down, this.size[0]),
      clamped(-x / across, this.box[1] / across, this.size[1]),
    ];
  }

  /** The visible part in whole elements; `undefined` for all of the array. @returns {Extent | undefined} */
  get part() {
    if (this.transform.k === 1) return undefined;
    const [rows, columns] = this.extent;
    return [
      [Math.floor(rows[0]), Math.ceil(rows[1])],
      [Math.floor(columns[0]), Math.ceil(columns[1])],
    ];
  }

  /** Where to begin, if a share of the array is as much as can be read: its middle. @param {number} share @returns {Extent} */
  middle(share) {
    const [rows, columns] = this.size.map(
      (length) => /** @type {Pair} */ ([(length * (1 - share)) / 2, (length * (1 + share)) / 2]),
    );
    return [rows, columns];
  }

  /** Returns the transform that shows a part. @param {readonly (readonly [number, number])[] | undefined} extent */
  transformTo(extent) {
    if (extent?.length !== 2) return zoomIdentity;
    const [[top, bottom], [left, right]] = extent;
    const [down, across] = this.#base;
    const [height, width] = this.box;
    const fitting = Math.min(height / ((bottom - top) * down), width / ((right - left) * across));
    const k = Math.min(this.mostZoom, Math.max(1, fitting));
    const [x, y] = [k * across * ((left + right) / 2), k * down * ((top + bottom) / 2)];
    return zoomIdentity.translate(width / 2 - x, height / 2 - y).scale(k);
  }

  /** Where an element is, where all of the array is shown. @param {Pair} point @returns {[x: number, y: number]} */
  unzoomed([row, column]) {
    const [down, across] = this.#base;
    return [(column + 0.5) * across, (row + 0.5) * down];
  }

  /** Where an element begins on the stage. @param {Pair} point @returns {Pair} */
  onStage([row, column]) {
    const [down, across] = this.scale;
    return [row * down + this.transform.y, column * across + this.transform.x];
  }

  /** Which element is at a place on the stage; it may lie outside of the array. @param {number} x @param {number} y @returns {Pair} */
  elementAt(x, y) {
    const [down, across] = this.scale;
    return [(y - this.transform.y) / down, (x - this.transform.x) / across];
  }

  /** Keeps an element within the array. @param {Pair} element @returns {Pair} */
  within([row, column]) {
    const clamped = (/** @type {number} */ at, /** @type {number} */ length) =>
      Math.max(0, Math.min(length - 1, Math.floor(at)));
    return [clamped(row, this.size[0]), clamped(column, this.size[1])];
  }

  /** Tells whether an element is visible. @param {Pair} element */
  sees([row, column]) {
    const [[top, bottom], [left, right]] = this.extent;
    return row >= top && row < bottom && column >= left && column < right;
  }
}

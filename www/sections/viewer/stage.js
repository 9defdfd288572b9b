// A picture to zoom and pan: a canvas with tiles, marks over it, and a point that the pointer and the arrow keys move.

import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";
import "../../image/picture.css";
import { failedAreas } from "../../image/failed-areas.js";
import { areaMarks, cross } from "../../image/marks.js";
import { contextOf, h, svg } from "../../ui/dom.js";
import { countTiles, levelFor, tilesIn } from "./pyramid.js";
import { Tiles } from "./tiles.js";

/**
 * @typedef {import("./pyramid.js").Level} Level
 * @typedef {import("./pyramid.js").Pair} Pair
 * @typedef {import("./pyramid.js").Tile} Tile
 * @typedef {import("../../image/view.js").View} View
 */

/** The greatest aspect ratio: a picture of one row is still a visible strip. */
const FLATTEST = 12;
/** How large an element can become, in pixels. */
const LARGEST = 48;
/** More tiles are not read; the picture has to be enlarged first. */
const MOST_TILES = 64;

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * What happens on a stage.
 *
 * @typedef {object} Listeners
 * @property {() => void} onPoint the point has moved
 * @property {(extent: [Pair, Pair] | undefined) => void} onMove another part is shown; `undefined` is all of it
 * @property {() => void} onDraw something has been drawn
 * @property {(error: Error) => void} onError
 */

export class Stage {
  element;
  /** The current point, in elements of the array as it is displayed. @type {Pair} */
  point = [0, 0];
  #canvas = h("canvas");
  #marks = svg("svg", { "aria-hidden": "true" });
  #note = h("p", { className: "stage-note", hidden: true });
  #tiles;
  #listeners;
  /** @type {View | undefined} */
  #view;
  /** @type {Level[]} */
  #levels = [];
  /** @type {Pair} height and width of the element */
  #box = [1, 1];
  #transform = zoomIdentity;
  #behavior;
  #isKeyboard = false;
  #drawing = 0;

  /** @param {import("../../page.js").ReaderWorker} worker @param {string} label @param {Listeners} listeners */
  constructor(worker, label, listeners) {
    this.#listeners = listeners;
    this.#tiles = new Tiles(worker, () => this.#draw(), listeners.onError);
    this.element = h(
      "div",
      { className: "picture stage", tabIndex: 0, role: "application", ariaLabel: label },
      this.#canvas,
      this.#marks,
      this.#note,
    );
    this.#behavior = zoom()
      .filter((event) => this.#isForZoom(event))
      .on("zoom", ({ transform, sourceEvent }) => {
        this.#transform = transform;
        this.#refresh();
        if (sourceEvent !== null) listeners.onMove(this.#extentNow());
      });
    this.#selection().call(this.#behavior).on("dblclick.zoom", null);
    this.element.addEventListener("pointermove", (event) => {
      this.#isKeyboard = false;
      this.#look(this.#pointAt(event));
    });
    this.element.addEventListener("keydown", (event) => this.#press(event));
    new ResizeObserver(() => this.#resize()).observe(this.element);
  }

  /** Shows a view, whole or the part that it names. @param {View} view @param {Level[]} levels */
  show(view, levels) {
    const isOther =
      this.#view?.generation !== view.generation || String(this.#view?.plane) !== String(view.plane);
    this.#view = view;
    this.#levels = levels;
    this.element.hidden = false;
    if (isOther) {
      const [height, width] = this.#size;
      const aspect = Math.min(FLATTEST, Math.max(1 / 3, width / height));
      this.element.style.aspectRatio = String(aspect);
      this.element.style.setProperty("--aspect", String(aspect));
      this.point = [height >> 1, width >> 1];
      this.#measure();
      this.#goTo(view.extent ?? this.#first());
    }
    this.#refresh();
  }

  /** Forgets everything that was painted. */
  clear() {
    this.#tiles.clear();
    this.#view = undefined;
    this.element.hidden = true;
    this.#note.hidden = true;
    this.#marks.replaceChildren();
    this.#canvas.width = 0;
  }

  /** Reads what failed once more. */
  retry() {
    this.#tiles.clear();
    this.#refresh();
  }

  /** @param {number} factor */
  zoomBy(factor) {
    this.#selection().call(this.#behavior.scaleBy, factor);
    this.#listeners.onMove(this.#extentNow());
  }

  /** Shows all of the array. */
  fit() {
    this.#selection().call(this.#behavior.transform, zoomIdentity);
    this.#listeners.onMove(undefined);
  }

  /** The tiles that are to be seen, the most detailed ones. */
  get tiles() {
    return this.#view === undefined ? [] : tilesIn(this.#view, this.#level, this.#extent);
  }

  /** The first tiles to be read: they tell what the numbers are like. */
  get sample() {
    const coarsest = this.#levels.at(-1);
    if (this.#view === undefined || coarsest === undefined) return [];
    const extent = coarsest === this.#levels[0] ? this.#extent : this.#whole;
    return tilesIn(this.#view, coarsest, extent).slice(0, 4);
  }

  /** What could not be shown of the tiles that are to be seen. */
  get failures() {
    return this.tiles.flatMap((tile) => this.#tiles.get(tile)?.failures ?? []);
  }

  /** The share of the array's width that is visible. */
  get visibleShare() {
    const [, [left, right]] = this.#extent;
    return (right - left) / this.#size[1];
  }

  /** Finds the tile that shows the point, and the pixel of the tile. */
  get pixel() {
    const tile = this.tiles.find(({ place: { row, column, height, width } }) => {
      const [y, x] = this.point;
      return y >= row && y < row + height && x >= column && x < column + width;
    });
    if (tile === undefined) return undefined;
    const at = (/** @type {number} */ i, /** @type {number} */ first) =>
      Math.floor((this.point[i] + 0.5 - first) / tile.level.factor[i]);
    return { tile, row: at(0, tile.place.row), column: at(1, tile.place.column) };
  }

  #selection() {
    return /** @type {import("d3-selection").Selection<Element, unknown, any, any>} */ (
      /** @type {unknown} */ (select(/** @type {Element} */ (this.element)))
    );
  }

  /** A wheel belongs to the page, unless the picture has the focus or Ctrl is held. @param {any} event */
  #isForZoom(event) {
    if (event.type === "wheel")
      return event.ctrlKey || event.metaKey || document.activeElement === this.element;
    if (event.touches) return event.touches.length > 1 || this.#transform.k > 1;
    return event.button === 0 && !event.ctrlKey;
  }

  /** @returns {Pair} of the array as it is displayed */
  get #size() {
    return this.#levels[0]?.size ?? [1, 1];
  }

  /** How many pixels an element has where the whole array is shown. @returns {Pair} */
  get #base() {
    return [this.#box[0] / this.#size[0], this.#box[1] / this.#size[1]];
  }

  /** @returns {Pair} */
  get #scale() {
    const [down, across] = this.#base;
    return [down * this.#transform.k, across * this.#transform.k];
  }

  get #level() {
    const ratio = devicePixelRatio;
    return levelFor(this.#levels, [this.#scale[0] * ratio, this.#scale[1] * ratio]);
  }

  /** @returns {[Pair, Pair]} */
  get #whole() {
    return [
      [0, this.#size[0]],
      [0, this.#size[1]],
    ];
  }

  /** The part that is visible, in elements as they are displayed. @returns {[Pair, Pair]} */
  get #extent() {
    const { x, y } = this.#transform;
    const [down, across] = this.#scale;
    /** @param {number} first @param {number} length @param {number} most @returns {Pair} */
    const clamped = (first, length, most) => [Math.max(0, first), Math.min(most, first + length)];
    return [
      clamped(-y / down, this.#box[0] / down, this.#size[0]),
      clamped(-x / across, this.#box[1] / across, this.#size[1]),
    ];
  }

  /** @returns {[Pair, Pair] | undefined} */
  #extentNow() {
    if (this.#transform.k === 1) return undefined;
    const round = (/** @type {Pair} */ [from, to]) => /** @type {Pair} */ ([Math.floor(from), Math.ceil(to)]);
    return [round(this.#extent[0]), round(this.#extent[1])];
  }

  /** Where to begin: the middle, if all of it is too much to read. @returns {[Pair, Pair] | undefined} */
  #first() {
    const view = /** @type {View} */ (this.#view);
    this.#transform = zoomIdentity;
    const count = countTiles(view, this.#level, this.#whole);
    if (count <= MOST_TILES) return undefined;
    const share = Math.sqrt(MOST_TILES / count) / 2;
    return /** @type {[Pair, Pair]} */ (
      this.#size.map((length) => [length * (0.5 - share / 2), length * (0.5 + share / 2)])
    );
  }

  /** @param {[number, number][] | undefined} extent */
  #goTo(extent) {
    const most = Math.max(1, LARGEST / Math.min(...this.#base));
    const [height, width] = this.#box;
    /** @type {[[number, number], [number, number]]} */
    const limits = [
      [0, 0],
      [width, height],
    ];
    this.#behavior.extent(limits).translateExtent(limits).scaleExtent([1, most]);
    let transform = zoomIdentity;
    if (extent?.length === 2) {
      const [[top, bottom], [left, right]] = extent;
      const [down, across] = this.#base;
      const k = Math.min(
        most,
        Math.max(1, Math.min(height / ((bottom - top) * down), width / ((right - left) * across))),
      );
      const [x, y] = [k * across * ((left + right) / 2), k * down * ((top + bottom) / 2)];
      transform = zoomIdentity.translate(width / 2 - x, height / 2 - y).scale(k);
    }
    this.#selection().call(this.#behavior.transform, transform);
  }

  #measure() {
    const { clientWidth, clientHeight } = this.element;
    this.#box = [Math.max(1, clientHeight), Math.max(1, clientWidth)];
  }

  #resize() {
    if (this.#view === undefined || this.element.clientWidth === 0) return;
    const shown = this.#extentNow();
    this.#measure();
    this.#goTo(shown);
    this.#refresh();
  }

  /** Asks for the tiles that are to be seen, the coarsest ones first. */
  #refresh() {
    const view = this.#view;
    if (view === undefined) return;
    const level = this.#level;
    const isTooMuch = countTiles(view, level, this.#extent) > MOST_TILES;
    this.#note.hidden = !isTooMuch;
    this.#note.textContent =
      "Zoom in: all of this at once would be too much to read, and there is no smaller level of it.";
    const coarsest = this.#levels[this.#levels.length - 1];
    const isReady = view.channels.every(({ isVisible, window }) => !isVisible || window);
    const coarse = coarsest === level ? [] : tilesIn(view, coarsest, this.#extent).slice(0, MOST_TILES);
    this.#tiles.want(isReady ? [...coarse, ...(isTooMuch ? [] : tilesIn(view, level, this.#extent))] : []);
    this.#draw();
  }

  #draw() {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => this.#drawNow());
  }

  #drawNow() {
    const view = this.#view;
    if (view === undefined) return;
    const ratio = devicePixelRatio;
    const [height, width] = this.#box;
    const [pixelHeight, pixelWidth] = [Math.round(height * ratio), Math.round(width * ratio)];
    if (this.#canvas.width !== pixelWidth) this.#canvas.width = pixelWidth;
    if (this.#canvas.height !== pixelHeight) this.#canvas.height = pixelHeight;
    const context = contextOf(this.#canvas);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, pixelWidth, pixelHeight);
    const level = this.#level;
    const isTooMuch = !this.#note.hidden;
    for (const each of this.#levels.slice(this.#levels.indexOf(level)).reverse()) {
      if (isTooMuch && each === level) continue;
      const [down, across] = this.#scale;
      context.imageSmoothingEnabled = Math.min(down * each.factor[0], across * each.factor[1]) * ratio < 1;
      for (const tile of tilesIn(view, each, this.#extent).slice(0, 4 * MOST_TILES)) {
        const painted = this.#tiles.get(tile);
        if (painted) this.#drawTile(context, painted, ratio);
      }
    }
    this.#drawMarks();
    this.element.ariaBusy = String(this.#tiles.isBusy);
    this.#listeners.onDraw();
  }

  /** @param {CanvasRenderingContext2D} context @param {import("./tiles.js").Painted} painted @param {number} ratio */
  #drawTile(context, { tile: { place }, bitmap }, ratio) {
    const [top, left] = this.#onScreen([place.row, place.column]);
    const [bottom, right] = this.#onScreen([place.row + place.height, place.column + place.width]);
    // Whole pixels, so that there are no seams.
    const [y, x] = [Math.round(top * ratio), Math.round(left * ratio)];
    context.drawImage(bitmap, x, y, Math.round(right * ratio) - x, Math.round(bottom * ratio) - y);
  }

  /** @param {Pair} point @returns {Pair} */
  #onScreen([row, column]) {
    const [down, across] = this.#scale;
    return [row * down + this.#transform.y, column * across + this.#transform.x];
  }

  #drawMarks() {
    const areas = this.tiles.flatMap((tile) =>
      failedAreas(tile.view, this.#tiles.get(tile)?.failures ?? []).map((area) => {
        const { place, level } = tile;
        const [top, left] = [
          place.row + area.row * level.factor[0],
          place.column + area.column * level.factor[1],
        ];
        const [y, x] = this.#onScreen([top, left]);
        const [bottom, right] = this.#onScreen([
          top + area.height * level.factor[0],
          left + area.width * level.factor[1],
        ]);
        return { ...area, row: y, column: x, height: bottom - y, width: right - x };
      }),
    );
    const [y, x] = this.#onScreen([this.point[0] + 0.5, this.point[1] + 0.5]);
    const cursor = this.#isKeyboard ? [svg("g", { class: "cursor" }, ...cross([y - 0.5, x - 0.5], 2.5))] : [];
    this.#marks.replaceChildren(...areaMarks(areas, 2.5), ...cursor);
  }

  /** @param {PointerEvent} event @returns {Pair} */
  #pointAt({ clientX, clientY }) {
    const { left, top } = this.element.getBoundingClientRect();
    const [down, across] = this.#scale;
    return [(clientY - top - this.#transform.y) / down, (clientX - left - this.#transform.x) / across];
  }

  /** @param {Pair} point */
  #look([row, column]) {
    const within = (/** @type {number} */ at, /** @type {number} */ length) =>
      Math.max(0, Math.min(length - 1, Math.floor(at)));
    /** @type {Pair} */
    const point = [within(row, this.#size[0]), within(column, this.#size[1])];
    if (String(point) === String(this.point)) return;
    this.point = point;
    this.#listeners.onPoint();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const step = STEPS[event.key];
    if (step) {
      this.#isKeyboard = true;
      const stride = this.#scale.map((scale) => Math.max(1, Math.round(1 / scale)));
      this.#look([this.point[0] + step[0] * stride[0], this.point[1] + step[1] * stride[1]]);
      this.#follow();
    } else if (event.key === "+" || event.key === "=") this.zoomBy(2);
    else if (event.key === "-") this.zoomBy(0.5);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }

  /** Keeps the point in sight. */
  #follow() {
    const [[top, bottom], [left, right]] = this.#extent;
    const [row, column] = this.point;
    if (row < top || row >= bottom || column < left || column >= right) {
      const [down, across] = this.#base;
      this.#selection().call(this.#behavior.translateTo, (column + 0.5) * across, (row + 0.5) * down);
      this.#listeners.onMove(this.#extentNow());
    }
    this.#draw();
  }
}

// A picture to zoom and pan: a canvas with tiles, marks over it, and a point that the pointer and the arrow keys move.

import { zoomIdentity } from "d3-zoom";
import "../../image/picture.css";
import { areaMarks, cross } from "../../image/marks.js";
import { contextOf, h, svg } from "../../ui/dom.js";
import { Camera } from "./camera.js";
import { clearCanvas, drawTile, failedOnStage } from "./draw.js";
import { countTiles, levelFor, tilesIn } from "./pyramid.js";
import { Tiles } from "./tiles.js";
import { Zoom } from "./zoom.js";

/**
 * @typedef {import("./pyramid.js").Level} Level
 * @typedef {import("./pyramid.js").Pair} Pair
 * @typedef {import("./pyramid.js").Tile} Tile
 * @typedef {import("../../image/view.js").View} View
 */

/** The greatest aspect ratio: a picture of one row is still a visible strip. */
const FLATTEST = 12;
/** More tiles are not read; the picture has to be enlarged first. */
const MOST_TILES = 64;

const TOO_MUCH =
  "Zoom in: all of this at once would be too much to read, and there is no smaller level of it.";
/** How many tiles are read to find out what the numbers are like. */
const SAMPLED = 4;
/** The size of marks, in pixels. */
const MARK = 2.5;

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * What happens on a stage.
 *
 * @typedef {object} Listeners
 * @property {() => void} onPoint the point has moved
 * @property {(extent: import("./camera.js").Extent | undefined) => void} onMove another part is shown; `undefined` is all of it
 * @property {() => void} onDraw something has been drawn
 * @property {(error: Error) => void} onError
 */

export class Stage {
  element;
  /** The current point, in elements of the array as it is displayed. @type {Pair} */
  point = [0, 0];
  #canvas = h("canvas");
  #marks = svg("svg", { "aria-hidden": "true" });
  #note = h("p", { className: "stage-note", hidden: true }, TOO_MUCH);
  #tiles;
  #listeners;
  /** @type {View | undefined} */
  #view;
  /** @type {Level[]} */
  #levels = [];
  #camera = new Camera();
  #zoom;
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
    this.#zoom = new Zoom(this.element, (transform, isByHand) => {
      this.#camera.transform = transform;
      this.#refresh();
      if (isByHand) listeners.onMove(this.#camera.part);
    });
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
    this.#camera.size = levels[0].size;
    this.element.hidden = false;
    if (isOther) {
      const [height, width] = this.#camera.size;
      const aspect = Math.min(FLATTEST, Math.max(1 / 3, width / height));
      this.element.style.aspectRatio = String(aspect);
      this.element.style.setProperty("--aspect", String(aspect));
      this.#measure();
      this.#goTo(view.extent ?? this.#first());
      const [rows, columns] = this.#camera.extent;
      this.point = [(rows[0] + rows[1]) >> 1, (columns[0] + columns[1]) >> 1];
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
    this.#zoom.scaleBy(factor);
    this.#listeners.onMove(this.#camera.part);
  }

  /** Shows all of the array. */
  fit() {
    this.#zoom.goTo(zoomIdentity);
    this.#listeners.onMove(undefined);
  }

  /** The tiles that are to be seen, the most detailed ones. */
  get tiles() {
    return this.#view === undefined ? [] : this.#tilesOf(this.#level);
  }

  /** The first tiles to be read: they tell what the numbers are like. */
  get sample() {
    const coarsest = this.#levels[this.#levels.length - 1];
    return coarsest === undefined ? [] : this.#tilesOf(coarsest).slice(0, SAMPLED);
  }

  /** What could not be shown of the tiles that are to be seen. */
  get failures() {
    return this.tiles.flatMap((tile) => this.#tiles.get(tile)?.failures ?? []);
  }

  /** The share of the array's width that is visible. */
  get visibleShare() {
    const [, [left, right]] = this.#camera.extent;
    return (right - left) / this.#camera.size[1];
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

  get #level() {
    const ratio = devicePixelRatio;
    return levelFor(this.#levels, [this.#camera.scale[0] * ratio, this.#camera.scale[1] * ratio]);
  }

  /** Where to begin: the middle, if all of it is too much to read. */
  #first() {
    const view = /** @type {View} */ (this.#view);
    this.#camera.transform = zoomIdentity;
    const count = countTiles(view, this.#level, this.#camera.whole);
    return count > MOST_TILES ? this.#camera.middle(Math.sqrt(MOST_TILES / count) / 2) : undefined;
  }

  /** @param {[number, number][] | undefined} extent */
  #goTo(extent) {
    this.#zoom.limit(this.#camera.box, this.#camera.mostZoom);
    this.#zoom.goTo(this.#camera.transformTo(extent));
  }

  #measure() {
    const { clientWidth, clientHeight } = this.element;
    this.#camera.box = [Math.max(1, clientHeight), Math.max(1, clientWidth)];
  }

  #resize() {
    if (this.#view === undefined || this.element.clientWidth === 0) return;
    const shown = this.#camera.part;
    this.#measure();
    this.#goTo(shown);
    this.#refresh();
  }

  /** Asks for the tiles that are to be seen, the coarsest ones first. */
  #refresh() {
    const view = this.#view;
    if (view === undefined) return;
    const level = this.#level;
    const tiles = this.#tilesOf(level);
    this.#note.hidden = tiles.length > 0;
    const coarsest = this.#levels[this.#levels.length - 1];
    const coarse = coarsest === level ? [] : this.#tilesOf(coarsest);
    const isReady = view.channels.every(({ isVisible, window }) => !isVisible || window);
    this.#tiles.want(isReady ? [...coarse, ...tiles] : []);
    this.#draw();
  }

  #draw() {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => this.#drawNow());
  }

  #drawNow() {
    if (this.#view === undefined) return;
    const ratio = devicePixelRatio;
    clearCanvas(this.#canvas, this.#camera, ratio);
    const context = contextOf(this.#canvas);
    const level = this.#level;
    for (const each of this.#levels.slice(this.#levels.indexOf(level)).reverse()) {
      for (const painted of this.#paintedOf(each)) drawTile(context, this.#camera, painted, ratio);
    }
    const areas = this.#paintedOf(level).flatMap((painted) => failedOnStage(this.#camera, painted));
    const [y, x] = this.#camera.onStage([this.point[0] + 0.5, this.point[1] + 0.5]);
    const cursor = this.#isKeyboard ? cross([y - 0.5, x - 0.5], MARK) : [];
    this.#marks.replaceChildren(...areaMarks(areas, MARK), ...cursor);
    this.element.ariaBusy = String(this.#tiles.isBusy);
    this.#listeners.onDraw();
  }

  /** Lists the tiles of a level that are to be seen; none if they are too many to be read. @param {Level} level */
  #tilesOf(level) {
    if (this.#view === undefined) return [];
    const { extent } = this.#camera;
    return countTiles(this.#view, level, extent) > MOST_TILES ? [] : tilesIn(this.#view, level, extent);
  }

  /** @param {Level} level */
  #paintedOf(level) {
    return this.#tilesOf(level).flatMap((tile) => this.#tiles.get(tile) ?? []);
  }

  /** @param {PointerEvent} event @returns {Pair} */
  #pointAt({ clientX, clientY }) {
    const { left, top } = this.element.getBoundingClientRect();
    return this.#camera.elementAt(clientX - left, clientY - top);
  }

  /** @param {Pair} element */
  #look(element) {
    const point = this.#camera.within(element);
    if (String(point) === String(this.point)) return;
    this.point = point;
    this.#listeners.onPoint();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const step = STEPS[event.key];
    if (step) {
      this.#isKeyboard = true;
      const stride = this.#camera.scale.map((scale) => Math.max(1, Math.round(1 / scale)));
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
    if (!this.#camera.sees(this.point)) {
      this.#zoom.centre(this.#camera.unzoomed(this.point));
      this.#listeners.onMove(this.#camera.part);
    }
    this.#draw();
  }
}

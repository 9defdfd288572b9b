// A canvas with what a worker painted, marks on it, and a point that mouse and arrow keys move.

import "./picture.css";
import { h, svg } from "../ui/dom.js";

/** The width of a picture, in its heights. */
const FLATTEST = 12;

let pictures = 0;

export class Picture {
  element;
  /** The point that is looked at, in pixels of the picture. */
  point = [0, 0];
  #canvas = h("canvas", { width: 1, height: 1 });
  #marks = svg("svg", { "aria-hidden": "true", preserveAspectRatio: "none" });
  /** Shows the point while arrow keys move it; a mouse has its own. */
  #cursor = svg("svg", { "aria-hidden": "true", preserveAspectRatio: "none" });
  #hatching = `hatching-${++pictures}`;
  #size = [1, 1];
  #onPoint;

  /**
   * @param {string} label
   * @param {(row: number, column: number) => void} onPoint is called when another point is looked at
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
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
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

  /** Shows a bitmap, which is used up by it. */
  draw({ bitmap, width, height }) {
    this.element.hidden = false;
    this.#canvas.width = width;
    this.#canvas.height = height;
    this.#canvas.getContext("bitmaprenderer").transferFromImageBitmap(bitmap);
    if (String(this.#size) !== String([height, width])) {
      this.point = [height >> 1, width >> 1];
      this.#cursor.replaceChildren();
    }
    this.#size = [height, width];
    for (const layer of [this.#marks, this.#cursor]) layer.setAttribute("viewBox", `0 0 ${width} ${height}`);
    // One row is a strip that can be seen.
    const aspect = Math.min(FLATTEST, width / height);
    this.element.style.aspectRatio = String(aspect);
    this.element.style.setProperty("--aspect", aspect);
  }

  /**
   * Marks areas that have no picture, and a point.
   *
   * @param {{ row: number, column: number, height: number, width: number }[]} areas
   * @param {[row: number, column: number]} [target]
   */
  mark(areas, target) {
    const pixel = this.#pixel;
    const lines = svg("path", { d: "M0 0v6", stroke: "#fff", "stroke-width": 3 });
    const pattern = svg(
      "pattern",
      {
        ...{ id: this.#hatching, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
        patternTransform: `scale(${pixel / 3}) rotate(45)`,
      },
      svg("path", { d: "M0 0h6v6H0z", fill: "#b3261e" }),
      lines,
    );
    const frames = areas.map(({ row, column, height, width }) =>
      svg("rect", {
        ...{ x: column, y: row, width, height, fill: `url(#${this.#hatching})` },
        ...{ stroke: "#b3261e", "stroke-width": 2.5, "vector-effect": "non-scaling-stroke" },
      }),
    );
    const ring = target ? [svg("g", { class: "target" }, ...cross(target, pixel))] : [];
    this.#marks.replaceChildren(svg("defs", {}, pattern), ...frames, ...ring);
  }

  /** A length that looks the same in pictures of all sizes. */
  get #pixel() {
    return Math.max(...this.#size) / 160;
  }

  #pointAt({ clientX, clientY }) {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    return [((clientY - top) / height) * this.#size[0], ((clientX - left) / width) * this.#size[1]];
  }

  #look(row, column) {
    const within = (at, length) => Math.max(0, Math.min(length - 1, Math.floor(at)));
    const point = [within(row, this.#size[0]), within(column, this.#size[1])];
    if (point[0] === this.point[0] && point[1] === this.point[1]) return;
    this.point = point;
    this.#onPoint(...point);
  }
}

/** A ring around a pixel with four strokes that lead to it, light on dark so that it shows on anything. */
function cross([row, column], pixel) {
  const [x, y, r] = [column + 0.5, row + 0.5, 4 * pixel];
  const strokes = [
    [0, -1],
    [0, 1],
    [-1, 0],
    [1, 0],
  ].map(([dx, dy]) => `M${x + dx * r} ${y + dy * r}L${x + dx * 2.4 * r} ${y + dy * 2.4 * r}`);
  const d = `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0${strokes.join("")}`;
  return [
    ["#000", 5],
    ["#ffd400", 2.5],
  ].map(([stroke, width]) =>
    svg("path", { d, stroke, fill: "none", "stroke-width": width, "vector-effect": "non-scaling-stroke" }),
  );
}

/** Where in the picture of a view chunks are that could not be decoded. */
export function failedAreas(view, failures, layout) {
  const [rows, columns] = view.plane.length === 2 ? view.plane : [undefined, view.plane[0]];
  const extent = (position, axis) => {
    if (axis === undefined) return [0, 1];
    const [start, stop] = view.region[view.plane.indexOf(axis)];
    const from = position[axis] * layout.chunkShape[axis];
    const to = Math.min(from + layout.chunkShape[axis], stop);
    return [Math.max(0, from - start), to - start];
  };
  return failures.map(({ position }) => {
    const [top, bottom] = extent(position, rows);
    const [left, right] = extent(position, columns);
    return { row: top, column: left, height: bottom - top, width: right - left };
  });
}

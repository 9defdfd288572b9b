// Zooming and panning of an element by pointer, wheel and fingers, with d3-zoom.

import { select } from "d3-selection";
import { zoom } from "d3-zoom";

/** @typedef {import("d3-zoom").ZoomTransform} ZoomTransform */

export class Zoom {
  #element;
  #behavior;
  /** How much the element is enlarged. */
  #factor = 1;

  /**
   * @param {HTMLElement} element
   * @param {(transform: ZoomTransform, isByHand: boolean) => void} onZoom
   */
  constructor(element, onZoom) {
    this.#element = element;
    this.#behavior = zoom()
      .filter((event) => this.#isForZoom(event))
      .on("zoom", ({ transform, sourceEvent }) => {
        this.#factor = transform.k;
        onZoom(transform, sourceEvent !== null);
      });
    this.#selection().call(this.#behavior).on("dblclick.zoom", null);
  }

  /** Keeps the picture in its box. @param {readonly [height: number, width: number]} box @param {number} most */
  limit([height, width], most) {
    /** @type {[[number, number], [number, number]]} */
    const limits = [
      [0, 0],
      [width, height],
    ];
    this.#behavior.extent(limits).translateExtent(limits).scaleExtent([1, most]);
  }

  /** @param {ZoomTransform} transform */
  goTo(transform) {
    this.#selection().call(this.#behavior.transform, transform);
  }

  /** @param {number} factor */
  scaleBy(factor) {
    this.#selection().call(this.#behavior.scaleBy, factor);
  }

  /** Moves a point of the picture, in its coordinates without zoom, to the middle. @param {readonly [x: number, y: number]} point */
  centre(point) {
    this.#selection().call(this.#behavior.translateTo, ...point);
  }

  #selection() {
    return /** @type {import("d3-selection").Selection<Element, unknown, any, any>} */ (
      /** @type {unknown} */ (select(/** @type {Element} */ (this.#element)))
    );
  }

  /** A wheel belongs to the page, unless the picture has the focus or Ctrl is held. @param {any} event */
  #isForZoom(event) {
    if (event.type === "wheel")
      return event.ctrlKey || event.metaKey || document.activeElement === this.#element;
    if (event.touches) return event.touches.length > 1 || this.#factor > 1;
    return event.button === 0 && !event.ctrlKey;
  }
}

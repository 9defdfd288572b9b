// One of the two pictures, with what its codecs make of the flipped bit.

import { failedAreas } from "../../image/failed-areas.js";
import { Picture } from "../../image/picture.js";
import { newestOnly } from "../../image/renderer.js";
import { isUnreadable } from "../../store/errors.js";
import { h } from "../../ui/dom.js";
import { judge, unread } from "./verdict.js";

/**
 * Makes a picture.
 *
 * @param {import("../../page.js").Page} page
 * @param {(string | Node)[]} title
 * @param {import("../../page.js").ReaderWorker} worker
 * @param {(row: number, column: number) => void} onPick
 * @returns the element, and a function that shows a view of an array, if it has a layout
 */
export function side(page, title, worker, onPick) {
  const verdict = h("div", { className: "verdict", ariaLive: "polite" });
  const heading = h("h3", {}, ...title);
  const label = `Slice, ${heading.textContent}: Enter breaks the element at the point`;
  const picture = new Picture(label, () => {}, onPick);
  /** @type {import("zarr-codecs/verify").ChunkLayout | undefined} */
  let layout;
  const render = newestOnly(
    page,
    worker,
    async (view, result) => {
      picture.draw(result);
      if (layout === undefined) return;
      const areas = failedAreas(view, result.failures);
      picture.mark(areas);
      const { target, lines } = await judge(page, layout, view, result, worker);
      if (!page.isCurrent(view)) return;
      if (target) picture.mark(areas, target);
      verdict.replaceChildren(...lines);
    },
    (error) => {
      picture.element.hidden = true;
      const reason = h("p", { className: "bad" }, `${error.name}: ${error.message}`);
      verdict.replaceChildren(isUnreadable(error) ? unread(error) : reason);
    },
  );
  /** @param {import("../../image/view.js").View} view @param {typeof layout} ofArray */
  const show = async (view, ofArray) => {
    layout = ofArray;
    if (layout && view.isPaintable) return render(view);
    picture.element.hidden = true;
    verdict.replaceChildren();
  };
  return { element: h("div", { className: "side" }, heading, picture.element, verdict), show };
}

// Renders one view at a time: while a worker paints, only the newest request waits.

/**
 * @typedef {import("./view.js").View} View
 * @typedef {Awaited<ReturnType<import("../page.js").ReaderWorker["render"]>>} Rendered
 */

/**
 * Makes a function that renders views. Pictures and errors of views that are no longer shown are dropped.
 *
 * @param {import("../page.js").Page} page
 * @param {import("../page.js").ReaderWorker} worker
 * @param {(view: View, rendered: Rendered) => void | Promise<void>} onPicture the next picture waits for it
 * @param {(error: Error) => void} onError
 * @returns {(view: View) => Promise<void>}
 */
export function newestOnly(page, worker, onPicture, onError) {
  let isBusy = false;
  /** @type {View | undefined} */
  let next;
  return async (view) => {
    next = view;
    if (isBusy) return;
    isBusy = true;
    while (next) {
      const current = next;
      next = undefined;
      try {
        const rendered = await worker.render(current);
        if (page.isCurrent(current)) await onPicture(current, rendered);
        else rendered.bitmap.close();
      } catch (error) {
        if (page.isCurrent(current)) onError(error);
      }
    }
    isBusy = false;
  };
}

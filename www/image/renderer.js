// One picture at a time: while a worker paints, only the newest of further wishes is remembered.

/**
 * @param {import("../page.js").Page} page pictures and errors of what it no longer shows are dropped
 * @param worker a Reader
 * @param {(view, result) => void | Promise<void>} onPicture the next picture waits for it
 * @param {(error: Error) => void} onError
 * @returns {(view) => Promise<void>}
 */
export function newestOnly(page, worker, onPicture, onError) {
  let isBusy = false;
  let next;
  return async (view) => {
    next = view;
    if (isBusy) return;
    isBusy = true;
    while (next) {
      const current = next;
      next = undefined;
      try {
        const result = await worker.render(current);
        if (page.isCurrent(current)) await onPicture(current, result);
        else result.bitmap.close();
      } catch (error) {
        if (page.isCurrent(current)) onError(error);
      }
    }
    isBusy = false;
  };
}

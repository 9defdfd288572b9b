// One picture at a time: while a worker paints, only the newest of further wishes is remembered.

/**
 * @param worker a Reader
 * @param {(view, result) => void} onPicture
 * @param {(error: Error) => void} onError
 * @returns {(view) => void}
 */
export function newestOnly(worker, onPicture, onError) {
  let isBusy = false;
  let next;
  const render = async (view) => {
    if (isBusy) {
      next = view;
      return;
    }
    isBusy = true;
    try {
      onPicture(view, await worker.render(view));
    } catch (error) {
      onError(error);
    }
    isBusy = false;
    const waiting = next;
    next = undefined;
    if (waiting) render(waiting);
  };
  return render;
}

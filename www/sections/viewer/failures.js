// Says which chunks could not be shown: damage in red, what could not be read with a way to try again.

import { isUnreadable } from "../../store/errors.js";
import { h } from "../../ui/dom.js";

/** How many chunks are named. */
const NAMED = 3;

/**
 * @typedef {import("../../image/plane.js").Failure} Failure
 */

/** @param {() => void} onRetry */
export function createFailures(onRetry) {
  const damaged = h("div", { className: "error", role: "alert", hidden: true });
  const unreadable = h("div", { className: "notice", role: "status", hidden: true });
  const element = h("div", {}, damaged, unreadable);
  /** @param {HTMLElement} place @param {(Node | string)[]} children */
  const fill = (place, children) => {
    place.replaceChildren(
      ...children.map((child) => (typeof child === "string" ? h("p", {}, child) : child)),
    );
    place.hidden = children.length === 0;
  };
  let shown = "";
  return {
    element,
    /** @param {Failure[]} failures @param {(failure: Failure) => string} nameOf */
    show(failures, nameOf) {
      const lines = (/** @type {Failure[]} */ some) => {
        const named = some.slice(0, NAMED).map((failure) => describe(failure, nameOf(failure)));
        if (some.length > NAMED) named.push(`and ${some.length - NAMED} more chunks`);
        return named;
      };
      const bad = lines(failures.filter(({ error }) => !isUnreadable(error)));
      const unread = lines(failures.filter(({ error }) => isUnreadable(error)));
      const text = JSON.stringify([bad, unread]);
      if (text === shown) return;
      shown = text;
      fill(damaged, bad);
      const more = [
        h("p", {}, h("strong", {}, "Not read, which says nothing about the data:")),
        ...unread,
        retryButton(onRetry),
      ];
      fill(unreadable, unread.length > 0 ? more : []);
    },
    /** @param {Error | undefined} error of the whole array */
    showError(error) {
      shown = String(error);
      const isUnread = error !== undefined && isUnreadable(error);
      fill(damaged, error && !isUnread ? [error.message] : []);
      fill(unreadable, isUnread ? [`${error.message}.`, retryButton(onRetry)] : []);
    },
  };
}

/** @param {() => void} onRetry */
const retryButton = (onRetry) => h("button", { type: "button", onclick: onRetry }, "Try again");

/** @param {Failure} failure @param {string} name */
function describe({ error }, name) {
  if (isUnreadable(error)) return `${name}: ${error.message}`;
  // Errors of the stores for shards begin with the place.
  const message = error.key !== undefined ? error.message.replace(/^[^:]*: /, "") : error.message;
  return `${name}: ${error.name}: ${message}`;
}

// Says which chunks could not be shown: damage in red, what could not be read with a way to try again.

import { isUnreadable } from "../../store/errors.js";
import { h } from "../../ui/dom.js";

/** How many reasons are named. */
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
        const groups = byReason(some.toSorted(byPosition));
        const named = groups
          .slice(0, NAMED)
          .map((group) => `${namesOf(group, nameOf)}: ${reasonOf(group[0].error)}`);
        const others = groups.slice(NAMED).flat().length;
        if (others > 0) named.push(`and ${others} more chunks`);
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

/** Chunks fail in any order. @param {Failure} a @param {Failure} b */
function byPosition({ position: a }, { position: b }) {
  const axis = a.findIndex((at, i) => at !== b[i]);
  return axis < 0 ? 0 : a[axis] - b[axis];
}

/** Puts chunks together that failed for the same reason: those of a shard, or of a server. @param {Failure[]} failures */
function byReason(failures) {
  /** @type {Map<string, Failure[]>} */
  const groups = new Map();
  for (const failure of failures) {
    const reason = reasonOf(failure.error);
    const group = groups.get(reason);
    if (group) group.push(failure);
    else groups.set(reason, [failure]);
  }
  return [...groups.values()];
}

/** @param {Failure[]} group @param {(failure: Failure) => string} nameOf */
function namesOf([first, ...others], nameOf) {
  if (others.length === 0) return nameOf(first);
  return `${nameOf(first)} and ${others.length} more chunk${others.length > 1 ? "s" : ""}`;
}

/** @param {Failure["error"]} error */
function reasonOf(error) {
  if (isUnreadable(error)) return error.message;
  // Errors of the stores for shards begin with the place, of which only that it is an index matters here.
  const place = /^[^:]*?(?=shard index)|^[^:]*: /;
  const message = error.key !== undefined ? error.message.replace(place, "") : error.message;
  return `${error.name}: ${message}`;
}

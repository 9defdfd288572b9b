// The controls for colours: a row for each channel, or a colour map.

import { COLOUR_MAPS } from "../../image/colour-maps.js";
import { h } from "../../ui/dom.js";
import { windowSlider } from "./window-slider.js";

/**
 * @typedef {import("../../image/channels.js").Channel} Channel
 * @typedef {Awaited<ReturnType<import("../../page.js").ReaderWorker["measure"]>>[number]} Measured a channel as a worker
 *   measured it
 */

/** @param {import("../../page.js").Page} page @param {Measured[]} measured the channels that are visible */
export function channelControls(page, measured) {
  /** @param {number} number @param {Partial<Channel>} members */
  const change = (number, members) => {
    const channels = page.view.channels.map((channel) =>
      channel.number === number ? { ...channel, ...members } : channel,
    );
    page.change({ ...page.view, channels });
  };
  return page.view.channels.map((channel) => {
    const known = measured.find(({ number }) => number === channel.number);
    return channelControl(channel, known, (members) => change(channel.number, members));
  });
}

/** @param {Channel} channel @param {Measured | undefined} known @param {(members: Partial<Channel>) => void} change */
function channelControl(channel, known, change) {
  const label = channel.label ?? "Window";
  const range = channel.range ?? known?.range ?? [0, 1];
  const slider = windowSlider(
    {
      label,
      range,
      window: channel.window ?? known?.window ?? range,
      histogram: known?.histogram ?? [0],
      values: known?.range ?? range,
    },
    (window) => change({ window }),
  );
  if (channel.map) return h("div", { className: "channel" }, mapChoice(channel.map, change), slider);
  const shown = h("input", {
    type: "checkbox",
    checked: channel.isVisible,
    onchange: () => change({ isVisible: shown.checked }),
  });
  const colour = h("input", {
    type: "color",
    value: channel.colour?.toLowerCase(),
    ariaLabel: `Colour of ${label}`,
    oninput: () => change({ colour: colour.value }),
  });
  const element = h(
    "div",
    { className: "channel" },
    h("div", { className: "row" }, h("label", {}, shown, ` ${label}`), colour),
    slider,
  );
  element.style.color = `color-mix(in oklab, ${channel.colour} 70%, CanvasText)`;
  return element;
}

/** @param {string} map @param {(members: { map: string }) => void} change */
function mapChoice(map, change) {
  const select = h(
    "select",
    { onchange: () => change({ map: select.value }) },
    ...COLOUR_MAPS.map((name) => h("option", { selected: name === map }, name)),
  );
  return h("label", { className: "field" }, "Colour map", select);
}

// Elements in one expression.

/**
 * An HTML element. Properties are set where the element has them, as attributes otherwise.
 *
 * @param {string} tag
 * @param {Record<string, unknown>} [properties] those that are undefined are left out
 * @param {...(Node | string | undefined)} children
 */
export function h(tag, properties = {}, ...children) {
  return furnish(document.createElement(tag), properties, children);
}

/** An SVG element, whose properties are all attributes. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function furnish(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Terms and values in two columns. */
export function facts(entries) {
  const rows = Object.entries(entries).filter(([, value]) => value !== undefined);
  return h(
    "dl",
    { className: "facts" },
    ...rows.flatMap(([term, value]) => [h("dt", {}, term), h("dd", {}, value)]),
  );
}

/** A checksum as it is usually written. */
export const hex = (checksum) => `0x${checksum.toString(16).padStart(8, "0")}`;

/** A number of bytes as people read it. */
export function byteCount(bytes) {
  const units = ["bytes", "kB", "MB", "GB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${(bytes / 1000 ** power).toLocaleString("en", { maximumFractionDigits: power ? 1 : 0 })} ${units[power]}`;
}

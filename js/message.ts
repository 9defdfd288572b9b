/** Texts for error messages, kept short: a caller's value may be of any size, or throw when it is read. */

import { typedArrayLength, typedArrayName } from "./intrinsics.js";

const LONGEST_MESSAGE = 300;
const LONGEST_TEXT = 64;
const MOST_ITEMS = 8;

/** Removes the middle of a long message, which begins with the location of the fault and ends with what was found. */
export function abridge(message: string): string {
  if (message.length <= LONGEST_MESSAGE) return message;
  const half = Math.floor((LONGEST_MESSAGE - " ... ".length) / 2);
  return `${message.slice(0, half)} ... ${message.slice(-half)}`;
}

/** Truncates a caller's text. */
export function truncate(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}...` : text;
}

/** Joins alternatives, like `"error", "little" or "big"`. */
export function either(alternatives: readonly string[]): string {
  return alternatives.join(", ").replace(/, ([^,]*)$/, " or $1");
}

/** Describes a value, like `"text"`, `an array` or `Float32Array of 4`. */
export function describe(value: unknown): string {
  if (typeof value === "string") return `"${truncate(value)}"`;
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  if (typeof value === "bigint") return describeBigInt(value);
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return String(value);
  const array = typedArrayName(value);
  if (array !== undefined) return `${array} of ${typedArrayLength(value)}`;
  try {
    if (Array.isArray(value)) return "an array";
    const tag = truncate(Object.prototype.toString.call(value).slice(8, -1));
    return tag === "Object" ? "an object" : `${/^[AEIO]/.test(tag) ? "an" : "a"} ${tag}`;
  } catch {
    return "an object that cannot be read";
  }
}

/** Describes an array by its first items, and anything else as {@link describe} does. */
export function describeList(items: unknown): string {
  if (!Array.isArray(items)) return describe(items);
  const first = Array.from({ length: Math.min(items.length, MOST_ITEMS) }, (_, i) => describe(items[i]));
  const rest = items.length > MOST_ITEMS ? `, ... (${items.length} in all)` : "";
  return `[${first.join(", ")}${rest}]`;
}

function describeBigInt(value: bigint): string {
  return BigInt.asIntN(128, value) === value ? `${value}n` : "a BigInt of more than 128 bits";
}

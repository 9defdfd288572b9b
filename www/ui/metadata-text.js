// Data types and fill values of metadata, as people write them.

/** @typedef {string | { name: string, configuration?: Record<string, any> }} DataType */

/** Names a data type: `numpy.datetime64 (unit h, scale factor 1)`. @param {DataType} type @returns {string} */
export function typeText(type) {
  if (typeof type === "string") return type;
  const entries = Object.entries(type.configuration ?? {});
  const parts = entries.flatMap(([name, value]) =>
    name === "fields" ? value.map(fieldText) : [`${name.replaceAll("_", " ")} ${value}`],
  );
  return parts.length > 0 ? `${type.name} (${parts.join(", ")})` : type.name;
}

/** @param {{ name: string, data_type: DataType } | [name: string, type: DataType]} field */
function fieldText(field) {
  const [name, type] = Array.isArray(field) ? field : [field.name, field.data_type];
  return `${name}: ${typeText(type)}`;
}

/** The integer that stands for no time. */
const NOT_A_TIME = -(2 ** 63);

/** Writes a fill value. @param {DataType} type @param {unknown} value */
export function fillText(type, value) {
  const isTime = typeof type === "object" && /^numpy\.(datetime|timedelta)64$/.test(type.name);
  return isTime && value === NOT_A_TIME ? "NaT" : JSON.stringify(value);
}

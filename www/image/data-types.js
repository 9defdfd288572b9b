// What can be shown of a data type, as metadata name it.

/** @typedef {{ name: string, offset: number, type: string }} Field */

const COMPLEX = ["magnitude", "phase", "real", "imaginary"];
const TEXT = [
  "string",
  "fixed_length_utf32",
  "null_terminated_bytes",
  "bytes",
  "variable_length_bytes",
  "variable_length_utf8",
];
/** The lengths of fields that are numbers. @type {Record<string, number>} */
const WIDTHS = {
  bool: 1,
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
  float16: 2,
  float32: 4,
  float64: 8,
};
/** Elements of more bytes are not shown byte by byte. */
const MOST_BYTES = 16;

/** The name of a data type. @param {any} dataType @returns {string} */
export const typeName = (dataType) => String(dataType?.name ?? dataType);

/** Tells whether elements are text, which is shown in a table. @param {any} dataType */
export const isText = (dataType) => TEXT.includes(typeName(dataType));

/** Returns what an element can be shown by, if there is a choice. @param {any} dataType @returns {(string | number)[]} */
export function componentsOf(dataType) {
  const name = typeName(dataType);
  if (/^complex/.test(name)) return COMPLEX;
  if (isRecord(name))
    return fieldsOf(dataType)
      .filter(({ type }) => type in WIDTHS)
      .map(({ name }) => name);
  const bytes = rawLength(dataType);
  return Array.from({ length: bytes <= MOST_BYTES ? bytes : 0 }, (_, byte) => byte);
}

/** Tells whether an array is best seen painted or plotted, rather than as text. @param {any} dataType @param {number} axes */
export function isPaintable(dataType, axes) {
  const name = typeName(dataType);
  if (isText(dataType)) return false;
  const isMoreThanNumber = isRecord(name) || rawLength(dataType) > 0 || name.startsWith("numpy.");
  if (axes === 1 && isMoreThanNumber) return false;
  if (isRecord(name) || rawLength(dataType) > 0) return componentsOf(dataType).length > 0;
  return true;
}

/** @param {string} name */
export const isRecord = (name) => name === "struct" || name === "structured";

/** The number of bytes of an element without further meaning, or 0. @param {any} dataType */
export function rawLength(dataType) {
  const name = typeName(dataType);
  if (name === "raw_bytes") return Number(dataType.configuration?.length_bytes);
  return Number(/^r(\d+)$/.exec(name)?.[1] ?? 0) / 8;
}

/** Returns the fields of an element; those that follow one of unknown length are left out. @param {any} dataType @returns {Field[]} */
export function fieldsOf(dataType) {
  /** @type {Field[]} */
  const fields = [];
  let offset = 0;
  for (const field of dataType?.configuration?.fields ?? []) {
    const [name, type] = Array.isArray(field) ? field : [field.name, field.data_type];
    fields.push({ name, offset, type: typeName(type) });
    const length = WIDTHS[typeName(type)] ?? Number(type?.configuration?.length_bytes ?? Number.NaN);
    if (Number.isNaN(length)) break;
    offset += length;
  }
  return fields;
}

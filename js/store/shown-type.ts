/** The data types that zarrita lacks, and those of zarrita that they are shown as. */

import { createCodecChain } from "../chain/create.js";
import { OTHER_TYPES, VIEWS } from "../generated/facts.js";
import type { NamedConfiguration } from "../metadata.js";
import { bytesOf, type DataType, type TypedArray } from "../typed-array.js";
import { LITTLE } from "./shown.js";

/** How the elements of a data type are shown. */
export interface ShownType {
  /** A data type of zarrita. */
  readonly name: string;
  /** The last axis of the shown array, if an element has several components. */
  readonly axis?: { readonly name: string; readonly length: number } | undefined;
  /** Converts little-endian elements of the data type to components of the shown one, also little endian. */
  show(elements: Uint8Array): TypedArray;
}

export const nameOf = (dataType: unknown): string =>
  String((dataType as NamedConfiguration | undefined)?.name ?? dataType);

/** Returns how a data type is shown; undefined if it is unknown, and left to the reader. @throws InvalidMetadataError */
export function shownTypeOf(dataType: string | NamedConfiguration): ShownType | undefined {
  const name = nameOf(dataType);
  const isZarritas = name === "bool" || name in VIEWS || (name === "float16" && "Float16Array" in globalThis);
  const flags = isZarritas ? "" : (OTHER_TYPES[name] ?? (/^r\d+$/.test(name) ? "a" : undefined));
  if (flags === undefined) return undefined;
  const element = chainOf(dataType, []);
  const zero = element.decode(new Uint8Array(element.encodedByteLength as number)).data;
  const size = element.encodedByteLength as number;
  let chain = element;
  return {
    name: isZarritas ? name : zero.constructor.name.replace(/^Big|Array$/g, "").toLowerCase(),
    axis: flags.includes("a") ? { name: axisName(name), length: zero.length } : undefined,
    show(elements) {
      const count = elements.byteLength / size;
      if (chain.encodedByteLength !== elements.byteLength) chain = chainOf(dataType, [count]);
      return chain.decode(elements).data;
    },
  };
}

const chainOf = (dataType: string | NamedConfiguration, shape: readonly number[]) =>
  createCodecChain({ dataType: dataType as DataType, shape, codecs: [LITTLE] }, { float16: FLOAT16 });

/** Not "auto", which would prefer the bits of a `float16` to a `Float32Array`. */
const FLOAT16 = "Float16Array" in globalThis ? "float16" : "float32";

function axisName(dataType: string): string {
  if (dataType.startsWith("complex")) return "component";
  return dataType === "fixed_length_utf32" ? "character" : "byte";
}

export const asBytes = (components: TypedArray): Uint8Array => bytesOf(components, "elements");

// A slow implementation of transpose and reshape, one element at a time.

import { bytesOf } from "./vectors.mjs";

const LITTLE_ENDIAN_HOST = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

const product = (lengths) => lengths.reduce((a, b) => a * b, 1);

/** Strides in C order. */
export function cOrder(shape) {
  const stride = [];
  let step = 1;
  for (const length of [...shape].reverse()) {
    stride.unshift(step);
    step *= length;
  }
  return stride;
}

/** Returns where strides place each element, in C order. */
function placesOf(shape, stride) {
  let places = Int32Array.of(0);
  shape.forEach((length, dimension) => {
    const next = new Int32Array(places.length * length);
    let at = 0;
    for (const place of places) {
      for (let i = 0; i < length; i++) next[at++] = place + i * stride[dimension];
    }
    places = next;
  });
  return places;
}

/** Applies array-to-array codecs to the indexes of elements: returns, for each element of the payload, its index in C order. */
export function payloadIndexes(shape, codecs) {
  let indexes = Int32Array.from({ length: product(shape) }, (_, i) => i);
  let current = shape;
  for (const { name, configuration } of codecs) {
    if (name === "reshape") {
      current = reshaped(current, configuration.shape);
    } else if (name === "transpose") {
      const { order } = configuration;
      const stride = cOrder(current);
      const before = indexes;
      current = order.map((dimension) => current[dimension]);
      const places = placesOf(
        current,
        order.map((dimension) => stride[dimension]),
      );
      indexes = places.map((place) => before[place]);
    }
  }
  return indexes;
}

function reshaped(input, shape) {
  const lengths = shape.map((item) => (Array.isArray(item) ? product(item.map((i) => input[i])) : item));
  const rest = product(input) / product(lengths.filter((length) => length !== -1));
  return lengths.map((length) => (length === -1 ? rest : length));
}

/** Returns the bytes of the elements with these indexes, in a byte order. */
export function payloadOf(data, indexes, { endian = "little", components = 1 } = {}) {
  const bytes = bytesOf(data);
  const size = data.BYTES_PER_ELEMENT;
  const payload = new Uint8Array(bytes.length);
  const swaps = (endian === "little") !== LITTLE_ENDIAN_HOST;
  let at = 0;
  for (const index of indexes) {
    for (let component = 0; component < components; component++) {
      const start = (index * components + component) * size;
      for (let i = 0; i < size; i++) payload[at++] = bytes[start + (swaps ? size - 1 - i : i)];
    }
  }
  return payload;
}

/** Returns the elements of an array in C order in the order that strides describe. Copies bytes: numbers would lose NaNs. */
export function strided(data, shape, stride, components = 1) {
  const bytes = bytesOf(data);
  const size = data.BYTES_PER_ELEMENT * components;
  const moved = new Uint8Array(bytes.length);
  placesOf(shape, stride).forEach((place, index) => {
    for (let i = 0; i < size; i++) moved[place * size + i] = bytes[index * size + i];
  });
  return new data.constructor(moved.buffer);
}

/** Returns the strides of an array whose axes are in this order in memory, outermost first. */
export function strideOf(shape, axes) {
  const stride = Array(shape.length);
  const steps = cOrder(axes.map((axis) => shape[axis]));
  axes.forEach((axis, i) => {
    stride[axis] = steps[i];
  });
  return stride;
}

// Chunks of the kinds that arrays hold, as bytes.

/** A generator of pseudo-random numbers from 0 to 1. */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 747_796_405) + 2_891_336_453) >>> 0;
    return ((state >>> 8) ^ (state >>> 24)) / 2 ** 24;
  };
}

/** About normally distributed numbers. */
const normal = (next) => () => (next() + next() + next() + next() - 2) * Math.sqrt(3);

const SIDE = 256;

/** A landscape of a few waves, from -1 to 1. */
const wave = (x, y) =>
  0.5 * Math.sin(x / 31 + y / 57) + 0.3 * Math.sin(x / 11 - y / 17) + 0.2 * Math.cos((x * y) / 9000);

/** Fills an array by a function of the place of each element. */
function filled(ArrayType, byteLength, value) {
  const data = new ArrayType(byteLength / ArrayType.BYTES_PER_ELEMENT);
  for (let i = 0; i < data.length; i += 1) data[i] = value(i % SIDE, Math.floor(i / SIDE));
  return new Uint8Array(data.buffer);
}

/** The kinds of data: how many bytes an element has, and how they are made. */
export const KINDS = {
  "smooth image": {
    typeSize: 2,
    make: (length) => {
      const noise = normal(random(1));
      return filled(Uint16Array, length, (x, y) => 2000 + 1500 * wave(x, y) + 2 * noise());
    },
  },
  "noisy image": {
    typeSize: 2,
    make: (length) => {
      const noise = normal(random(2));
      return filled(Uint16Array, length, (x, y) => 2000 + 800 * wave(x, y) + 120 * noise());
    },
  },
  field: {
    typeSize: 4,
    make: (length) => {
      const noise = normal(random(3));
      return filled(Float32Array, length, (x, y) => 280 + 20 * wave(x, y) + 0.05 * noise());
    },
  },
  labels: {
    typeSize: 4,
    make: (length) => {
      const label = (x, y) => Math.floor((x + 9 * Math.sin(y / 14)) / 23) * 37 + Math.floor(y / 19);
      return filled(Uint32Array, length, (x, y) => (wave(x * 3, y * 2) > -0.4 ? 1 + label(x, y) : 0));
    },
  },
};

// What is written in JavaScript by hand where there is no package.

/** @typedef {Uint16Array | Float32Array | Float64Array} Target */

/** Reads each component in the byte order that it has, and writes it in the host's. @param {Uint8Array} bytes @param {Target} target */
export function dataViewLoop(bytes, target) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { length, BYTES_PER_ELEMENT } = target;
  if (BYTES_PER_ELEMENT === 2) {
    for (let i = 0; i < length; i += 1) target[i] = view.getUint16(2 * i);
  } else if (BYTES_PER_ELEMENT === 4) {
    for (let i = 0; i < length; i += 1) target[i] = view.getFloat32(4 * i);
  } else {
    for (let i = 0; i < length; i += 1) target[i] = view.getFloat64(8 * i);
  }
}

/** Shifts the bytes of each component, as an unsigned integer, to their places. @param {Uint8Array} bytes @param {Target} target */
export function typedArrayLoop(bytes, target) {
  if (target.BYTES_PER_ELEMENT === 2) return swap16(bytes, target);
  const from = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const to = new Uint32Array(target.buffer, target.byteOffset, from.length);
  if (target.BYTES_PER_ELEMENT === 4) {
    for (let i = 0; i < from.length; i += 1) to[i] = reversed(from[i]);
  } else {
    for (let i = 0; i < from.length; i += 2) {
      const first = reversed(from[i]);
      to[i] = reversed(from[i + 1]);
      to[i + 1] = first;
    }
  }
}

/** @param {Uint8Array} bytes @param {Target} target */
function swap16(bytes, target) {
  const from = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
  for (let i = 0; i < from.length; i += 1) target[i] = (from[i] << 8) | (from[i] >> 8);
}

/** @param {number} x */
const reversed = (x) => (x << 24) | ((x & 0xff00) << 8) | ((x >>> 8) & 0xff00) | (x >>> 24);

// float16: what a page does that has neither Float16Array nor a library.

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Every binary16 as a number, by its bits. */
const HALVES = Float32Array.from({ length: 1 << 16 }, (_, half) => {
  const [exponent, fraction] = [(half >> 10) & 0x1f, half & 0x3ff];
  const sign = half >> 15 ? -1 : 1;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -24 * fraction);
});

/** The other exponent, and the same fraction; subnormals are scaled by a subtraction (Giesen's way). @param {Uint16Array} halves @param {Float32Array} target */
export function widenByBits(halves, target) {
  const to = new Uint32Array(target.buffer, target.byteOffset, target.length);
  for (let i = 0; i < halves.length; i += 1) {
    const half = halves[i];
    const sign = (half & 0x8000) << 16;
    const magnitude = (half & 0x7fff) << 13;
    const exponent = magnitude & 0x0f800000;
    if (exponent === 0) {
      bits[0] = magnitude + 0x38800000;
      float[0] -= 2 ** -14;
      to[i] = sign | bits[0];
    } else {
      to[i] = sign | (magnitude + (exponent === 0x0f800000 ? 0x70000000 : 0x38000000));
    }
  }
}

/** Looks each binary16 up. @param {Uint16Array} halves @param {Float32Array} target */
export function widenByTable(halves, target) {
  for (let i = 0; i < halves.length; i += 1) target[i] = HALVES[halves[i]];
}

/** Rounds to nearest even; subnormals by an addition that shifts them to their place (Giesen's way). @param {Float32Array} floats @param {Uint16Array} target */
export function narrowByBits(floats, target) {
  const from = new Uint32Array(floats.buffer, floats.byteOffset, floats.length);
  for (let i = 0; i < from.length; i += 1) {
    const sign = (from[i] >>> 16) & 0x8000;
    const magnitude = from[i] & 0x7fffffff;
    if (magnitude >= 0x47800000) {
      target[i] = sign | (magnitude > 0x7f800000 ? 0x7e00 : 0x7c00);
    } else if (magnitude < 0x38800000) {
      bits[0] = magnitude;
      float[0] += 0.5;
      target[i] = sign | (bits[0] - 0x3f000000);
    } else {
      target[i] = sign | ((magnitude - 0x38000000 + 0xfff + ((magnitude >>> 13) & 1)) >>> 13);
    }
  }
}

/** The side of the squares in which {@link blockedTranspose} works: whole cache lines on both sides. 8 and 32 take longer. */
const SIDE = 16;

/**
 * Reverses the order of two or three dimensions.
 *
 * @param {Float32Array} source
 * @param {readonly number[]} shape that of the source
 * @param {Float32Array} target
 */
export function blockedTranspose(source, shape, target) {
  const [rows, middle, columns] = shape.length === 2 ? [shape[0], 1, shape[1]] : shape;
  const sourceStep = middle * columns;
  const targetStep = middle * rows;
  for (let m = 0; m < middle; m += 1) {
    for (let firstRow = 0; firstRow < rows; firstRow += SIDE) {
      const lastRow = Math.min(rows, firstRow + SIDE);
      for (let firstColumn = 0; firstColumn < columns; firstColumn += SIDE) {
        const lastColumn = Math.min(columns, firstColumn + SIDE);
        for (let column = firstColumn; column < lastColumn; column += 1) {
          let to = column * targetStep + m * rows + firstRow;
          let from = firstRow * sourceStep + m * columns + column;
          for (let row = firstRow; row < lastRow; row += 1) {
            target[to] = source[from];
            to += 1;
            from += sourceStep;
          }
        }
      }
    }
  }
}

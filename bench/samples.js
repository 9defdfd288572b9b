// The data: the same in every run.

/** Returns bytes without a pattern (xorshift32). @param {number} size */
export function noise(size) {
  const words = new Uint32Array(size / 4);
  let state = 0x9e3779b9;
  for (let i = 0; i < words.length; i += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[i] = state;
  }
  return new Uint8Array(words.buffer);
}

/**
 * Returns `size` bytes of numbers from -32768 to 32767, or of unsigned ones: no NaN, which not every host keeps bit for bit.
 *
 * @template {{ [index: number]: number, length: number }} A
 * @param {{ new (length: number): A, BYTES_PER_ELEMENT: number }} ArrayType
 * @param {number} size
 */
export function floats(ArrayType, size) {
  const integers = new Int16Array(noise(size).buffer);
  const numbers = new ArrayType(size / ArrayType.BYTES_PER_ELEMENT);
  for (let i = 0; i < numbers.length; i += 1) numbers[i] = integers[i];
  return numbers;
}

/** Returns `size` bytes of float16 without NaN, infinities and subnormals: what measurements look like. @param {number} size */
export function halves(size) {
  const bits = new Uint16Array(noise(size).buffer);
  for (let i = 0; i < bits.length; i += 1) {
    const exponent = 8 + ((bits[i] >> 10) & 0xf);
    bits[i] = (bits[i] & 0x83ff) | (exponent << 10);
  }
  return new Uint8Array(bits.buffer);
}

/** Returns `size` bytes of bool. @param {number} size */
export function truths(size) {
  const bytes = noise(size);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] &= 1;
  return bytes;
}

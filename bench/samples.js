// @ts-nocheck The page uses its types; the code itself is not type-checked.
// The data: the same in every run.

/** Bytes without a pattern (xorshift32). */
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

/** `size` bytes of numbers from -32768 to 32767, or of unsigned ones: no NaN, which not every host keeps bit for bit. */
export function floats(ArrayType, size) {
  const integers = new Int16Array(noise(size).buffer);
  const numbers = new ArrayType(size / ArrayType.BYTES_PER_ELEMENT);
  for (let i = 0; i < numbers.length; i += 1) numbers[i] = integers[i];
  return numbers;
}

/** `size` bytes of float16 without NaN, infinities and subnormals: what measurements look like. */
export function halves(size) {
  const bits = new Uint16Array(noise(size).buffer);
  for (let i = 0; i < bits.length; i += 1) {
    const exponent = 8 + ((bits[i] >> 10) & 0xf);
    bits[i] = (bits[i] & 0x83ff) | (exponent << 10);
  }
  return new Uint8Array(bits.buffer);
}

/** `size` bytes of bool. */
export function truths(size) {
  const bytes = noise(size);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] &= 1;
  return bytes;
}

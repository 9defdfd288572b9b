// Reads the test vectors (tests/vectors/README.md), given as parsed JSON. Runs in Node and in browsers.

/** The number of arrays in each file, so that a test of none cannot pass. */
export const ARRAY_COUNTS = { "zarr-python.json": 134, "tensorstore.json": 159, "zarrs.json": 168 };

/** The array of each data type's components: bits for float16, bytes for raw bits. */
export const ARRAY_TYPES = {
  bool: Uint8Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
  complex64: Float32Array,
  complex128: Float64Array,
  r8: Uint8Array,
  r16: Uint8Array,
  r24: Uint8Array,
  r64: Uint8Array,
  r128: Uint8Array,
};

/** Views the bytes of a view or buffer. */
export function bytesOf(data) {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

/** Returns whether two views or buffers contain the same bytes. */
export function sameBytes(a, b) {
  const [x, y] = [bytesOf(a), bytesOf(b)];
  if (x.length !== y.length) return false;
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false;
  return true;
}

export function fromHex(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

/** Returns the number that the bits of a binary16 represent (IEEE 754-2019, 3.4). */
export function valueOfHalf(bits) {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction > 0 ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

/** Yields every chunk of a file: `encoded` as stored by its writer, `components` as passed to it, in the host's byte order. */
export function* chunksOf({ writer, arrays }) {
  for (const { name, metadata, chunks } of arrays) {
    for (const { key, encoded, decoded } of chunks) {
      yield {
        where: `${writer}, ${name}, ${key}`,
        metadata,
        encoded: fromHex(encoded),
        components: inHostOrder(ARRAY_TYPES[metadata.data_type], fromHex(decoded)),
      };
    }
  }
}

// Unsigned integers by the length of a component in bytes. Floats are read as these, because reading one as a JavaScript
// number may change the payload of a NaN.
const BITS = {
  1: [Uint8Array, "getUint8"],
  2: [Uint16Array, "getUint16"],
  4: [Uint32Array, "getUint32"],
  8: [BigUint64Array, "getBigUint64"],
};

/** Returns little-endian components as an array in the host's byte order. */
export function inHostOrder(ArrayType, littleEndian) {
  const size = ArrayType.BYTES_PER_ELEMENT;
  const [BitsArray, getter] = BITS[size];
  const view = new DataView(littleEndian.buffer);
  const bits = new BitsArray(view.byteLength / size).map((_, i) => view[getter](i * size, true));
  return new ArrayType(bits.buffer);
}

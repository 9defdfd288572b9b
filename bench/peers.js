// The other ways to do the same work, for any JavaScript host. Those that only Node has are in peers-node.js.

import { crc32c as awsCrc32c } from "@aws-crypto/crc32c";
import sheetCrc32c from "crc-32/crc32c.js";
import { createCRC32 } from "hash-wasm";
import { registry } from "zarrita";
import { dataViewLoop, typedArrayLoop } from "./loops.js";

/** The Castagnoli polynomial as hash-wasm takes it. */
const CASTAGNOLI = 0x82f63b78;

/**
 * The peers of this host.
 *
 * @param extra those that only this host has, as peers-node.js exports them
 */
export async function loadPeers(extra = { checksums: [], swaps: [] }) {
  const hash = await createCRC32(CASTAGNOLI);
  const Bytes = await registry.get("bytes")();
  const Crc32c = await registry.get("crc32c")();
  const Transpose = await registry.get("transpose")();
  return {
    checksums: [
      {
        name: "hash-wasm",
        run: (bytes) => hash.init().update(bytes).digest("binary"),
        read: (digest) => new DataView(digest.buffer, digest.byteOffset).getUint32(0),
      },
      ...extra.checksums,
      { name: "@aws-crypto/crc32c", run: awsCrc32c },
      { name: "crc-32", run: (bytes) => sheetCrc32c.buf(bytes), read: (signed) => signed >>> 0 },
    ],
    swaps: [
      { name: "DataView loop", swap: dataViewLoop },
      { name: "TypedArray loop", swap: typedArrayLoop },
      ...extra.swaps,
    ],
    /** zarrita's codecs of one chain, as its array pipeline calls them. */
    zarrita: (dataType, length, endian) => {
      const meta = { dataType, shape: [length], codecs: [], fillValue: 0 };
      return { bytes: Bytes.fromConfig({ endian }, meta), crc32c: Crc32c.fromConfig({}, meta) };
    },
    /** zarrita's chain `[transpose, bytes]` for float32. It decodes to the stored order, which its `transpose` then reorders. */
    zarritaTranspose: (shape, order) => {
      const meta = { dataType: "float32", shape, codecs: [], fillValue: 0 };
      const bytes = Bytes.fromConfig({ endian: "little" }, meta);
      const transpose = Transpose.fromConfig({ order }, meta);
      const inOrder = Transpose.fromConfig({ order: shape.map((_, axis) => axis) }, meta);
      const { stride } = inOrder.decode({ data: new Float32Array(0), shape });
      return {
        decode: (encoded) => inOrder.encode(transpose.decode(bytes.decode(encoded))).data,
        encode: (data) => bytes.encode(transpose.encode({ data, shape, stride })),
      };
    },
  };
}

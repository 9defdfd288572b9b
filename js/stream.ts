/**
 * The `crc32c` codec over streams, in constant memory.
 *
 * Each stream copies what passes through: a writer may reuse its buffer as soon as its write is done.
 */

import * as backend from "./backend/index.js";
import { Crc32c } from "./crc32c.js";
import { bytesOf } from "./typed-array.js";

/** Bytes that a checksum takes. */
const CHECKSUM_LENGTH = 4;

/** What can be written to these streams: any buffer or view. */
type Bytes = ArrayBufferView | ArrayBufferLike;

/**
 * Passes bytes through and appends their checksum: the `crc32c` codec's encoding.
 *
 * Takes any buffers or views, gives `Uint8Array`s. Anything else errors the stream with an InvalidArgumentError.
 *
 * @example
 * ```ts
 * const encoded = readable.pipeThrough(new Crc32cEncoderStream());
 * ```
 */
export class Crc32cEncoderStream extends TransformStream<Bytes, Uint8Array<ArrayBuffer>> {
  constructor() {
    const crc = new Crc32c();
    super({
      transform(chunk, controller) {
        const bytes = bytesOf(chunk, "chunk");
        crc.update(bytes);
        if (bytes.byteLength > 0) controller.enqueue(new Uint8Array(bytes));
      },
      flush(controller) {
        const checksum = new Uint8Array(CHECKSUM_LENGTH);
        new DataView(checksum.buffer).setUint32(0, crc.digest(), true);
        controller.enqueue(checksum);
      },
    });
  }
}

/**
 * Passes bytes through, all but the checksum at their end, and verifies that: the `crc32c` codec's decoding.
 *
 * Bytes come out before they are verified; only when the stream has closed without an error were they right. A wrong
 * checksum errors it with a ChecksumMismatchError, fewer than 4 bytes with a ChunkLengthError, anything but buffers
 * and views with an InvalidArgumentError.
 *
 * @example
 * ```ts
 * const decoded = response.body.pipeThrough(new Crc32cDecoderStream());
 * ```
 */
export class Crc32cDecoderStream extends TransformStream<Bytes, Uint8Array<ArrayBuffer>> {
  constructor() {
    const crc = new Crc32c();
    let byteLength = 0;
    /** The last bytes so far, which may be the checksum. */
    let held = new Uint8Array(0);
    super({
      transform(chunk, controller) {
        const bytes = bytesOf(chunk, "chunk");
        const joined = new Uint8Array(held.byteLength + bytes.byteLength);
        joined.set(held);
        joined.set(bytes, held.byteLength);
        const end = Math.max(0, joined.byteLength - CHECKSUM_LENGTH);
        held = joined.slice(end);
        if (end === 0) return;
        const data = joined.subarray(0, end);
        crc.update(data);
        byteLength += end;
        controller.enqueue(data);
      },
      flush() {
        if (held.byteLength < CHECKSUM_LENGTH) {
          throw backend.chunkLengthError(true, CHECKSUM_LENGTH, held.byteLength, "at least the checksum");
        }
        backend.verifyChecksum(held, crc.digest(), byteLength);
      },
    });
  }
}

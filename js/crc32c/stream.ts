/**
 * The `crc32c` codec over streams, in constant memory.
 *
 * Each stream copies what passes through: a writer may reuse its buffer as soon as its write is done.
 */

import { CHECKSUM_LENGTH } from "../generated/facts.js";
import { allocate, type Bytes, bytesOf } from "../typed-array.js";
import { init, instance } from "../wasm/instance.js";
import { Crc32c } from "./crc32c.js";
import type { HostReadableStream, HostWritableStream } from "./host-streams.js";

/** What a stream does with each chunk, and at its end. */
interface Transformer {
  transform(chunk: Bytes, controller: Controller): void;
  flush(controller: Controller): void;
}
interface Controller {
  enqueue(bytes: Uint8Array<ArrayBuffer>): void;
}

/**
 * Both ends of a transform stream. It does not extend `TransformStream`: to name that at import loads all of Node's streams
 * (4 ms, Node 20), and most programs have no use for them.
 */
class Crc32cStream {
  /** What comes out. */
  readonly readable: HostReadableStream<Uint8Array<ArrayBuffer>>;
  /** What goes in. */
  readonly writable: HostWritableStream<Bytes>;

  constructor(transformer: Transformer) {
    // The start waits where a first call cannot: see ARCHITECTURE.md.
    const { readable, writable } = new TransformStream({ start: init, ...transformer });
    this.readable = readable;
    this.writable = writable;
  }
}

/**
 * Passes bytes through and appends their checksum: the `crc32c` codec's encoding.
 *
 * Takes any buffers or views, gives `Uint8Array`s. Anything else errors the stream with an InvalidArgumentError.
 *
 * @example
 * ```ts
 * import { Crc32cEncoderStream } from "zarr-codecs";
 *
 * const encoded = new Blob(["123456789"]).stream().pipeThrough(new Crc32cEncoderStream());
 * (await new Response(encoded).arrayBuffer()).byteLength; // => 13
 * ```
 */
export class Crc32cEncoderStream extends Crc32cStream {
  constructor() {
    const crc = new Crc32c();
    super({
      transform(chunk, controller) {
        const bytes = joined(bytesOf(chunk, "chunk"));
        crc.update(bytes);
        if (bytes.byteLength > 0) controller.enqueue(bytes);
      },
      flush(controller) {
        const checksum = new Uint8Array(CHECKSUM_LENGTH);
        instance.call("writeChecksum", checksum, crc.digest());
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
 * import { Crc32cDecoderStream } from "zarr-codecs";
 *
 * const encoded = new Blob(["123456789", Uint8Array.of(0x83, 0x92, 0x06, 0xe3)]).stream();
 * const decoded = encoded.pipeThrough(new Crc32cDecoderStream());
 * await new Response(decoded).text(); // => "123456789"
 * ```
 */
export class Crc32cDecoderStream extends Crc32cStream {
  constructor() {
    const crc = new Crc32c();
    let byteLength = 0;
    /** The last bytes so far, which may be the checksum. */
    let held = new Uint8Array(0);
    super({
      transform(chunk, controller) {
        const bytes = joined(held, bytesOf(chunk, "chunk"));
        const end = Math.max(0, bytes.byteLength - CHECKSUM_LENGTH);
        held = bytes.slice(end);
        if (end === 0) return;
        const data = bytes.subarray(0, end);
        crc.update(data);
        byteLength += end;
        controller.enqueue(data);
      },
      flush() {
        instance.call("verifyChecksum", held, crc.digest(), byteLength);
      },
    });
  }
}

/** New bytes: those of all parts. What is computed of them cannot change any more, in whatever memory the parts are. */
function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const bytes = allocate("Uint8Array", length) as Uint8Array<ArrayBuffer>;
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.byteLength;
  }
  return bytes;
}

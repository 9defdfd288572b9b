/**
 * Transform streams of the `crc32c` codec, in constant memory.
 *
 * Each stream copies its input, so that a writer may reuse its buffer once a write is done.
 */

import { CHECKSUM_LENGTH } from "../generated/facts.js";
import { type Bytes, bytesOf, concatenate } from "../typed-array.js";
import { init, instance } from "../wasm/instance.js";
import { Crc32c } from "./crc32c.js";
import { type Crc32cOptions, checksumBytes, readVerify } from "./encoded.js";
import type { HostReadableStream, HostWritableStream } from "./host-streams.js";
import { verifying } from "./mismatch.js";

/** The part of the host's `Transformer` that is used here. */
interface Transformer {
  transform(chunk: Bytes, controller: Controller): void;
  flush(controller: Controller): void;
}
interface Controller {
  enqueue(bytes: Uint8Array<ArrayBuffer>): void;
}

/**
 * The two sides of a transform stream. Does not extend `TransformStream`, because naming that at import would load all of
 * Node's streams (4 ms, Node 20), which most programs do not use.
 */
class Crc32cStream {
  /** The output. */
  readonly readable: HostReadableStream<Uint8Array<ArrayBuffer>>;
  /** The input: any buffers or views. */
  readonly writable: HostWritableStream<Bytes>;

  constructor(transformer: Transformer) {
    // Streams can wait for the module to load, unlike synchronous calls.
    const { readable, writable } = new TransformStream({ start: init, ...transformer });
    this.readable = readable;
    this.writable = writable;
  }
}

/**
 * A transform stream that encodes by the `crc32c` codec: it passes bytes through and appends their checksum.
 *
 * Accepts any buffers or views and outputs `Uint8Array`s. Any other input errors the stream with an InvalidArgumentError.
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
        const bytes = concatenate([bytesOf(chunk, "chunk")]);
        crc.update(bytes);
        if (bytes.byteLength > 0) controller.enqueue(bytes);
      },
      flush(controller) {
        controller.enqueue(checksumBytes(crc.digest()));
      },
    });
  }
}

/**
 * A transform stream that decodes by the `crc32c` codec: it passes the payload through, then verifies the checksum.
 *
 * Outputs bytes before they are verified, so they are valid only once the stream has closed. A wrong checksum errors the
 * stream with a ChecksumMismatchError, unless the option `verify` says otherwise, fewer than 4 bytes with a ChunkLengthError, input other than buffers and views with an
 * InvalidArgumentError.
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
  /** @throws InvalidArgumentError */
  constructor(options?: Crc32cOptions) {
    const verify = readVerify(options);
    const crc = new Crc32c();
    let byteLength = 0;
    /** The last bytes, held back because they may be the checksum. */
    let held = new Uint8Array(0);
    super({
      transform(chunk, controller) {
        const bytes = concatenate([held, bytesOf(chunk, "chunk")]);
        const end = Math.max(0, bytes.byteLength - CHECKSUM_LENGTH);
        held = bytes.slice(end);
        if (end === 0) return;
        const data = bytes.subarray(0, end);
        if (verify !== false) crc.update(data);
        byteLength += end;
        controller.enqueue(data);
      },
      flush() {
        verifying(verify, (verify) => {
          if (!verify && held.byteLength === CHECKSUM_LENGTH) return;
          instance.call("verifyChecksum", held, crc.digest(), byteLength);
        });
      },
    });
  }
}

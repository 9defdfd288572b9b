/** zstd for hosts that lack it. */

import { decompress } from "fzstd";
import { ZSTDDecoder } from "zstddec/stream";

const decoder = new ZSTDDecoder();
const loading = decoder.init();

/** Decodes zstd frames. */
export class Zstd {
  static fromConfig(): Zstd {
    return new Zstd();
  }

  encode(): never {
    throw new Error("this codec only decodes");
  }

  async decode(frame: Uint8Array): Promise<Uint8Array> {
    await loading;
    const byteLength = contentSize(frame);
    // libzstd is several times as fast, but by itself would not stop at a damaged frame of unknown size.
    if (byteLength === undefined) return decompress(frame);
    if (byteLength === 0) return new Uint8Array(0);
    const decoded = decoder.decode(frame, byteLength);
    if (decoded.length === byteLength) return decoded;
    throw new Error("the zstd frame is invalid");
  }
}

/** Reads the length of the content from the header of a frame; undefined where it is not there. */
function contentSize(frame: Uint8Array): number | undefined {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const descriptor = view.getUint8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionaryLength = [0, 1, 2, 4][descriptor & 3] as number;
  const at = 5 + (isSingleSegment ? 0 : 1) + dictionaryLength;
  switch (descriptor >> 6) {
    case 0:
      return isSingleSegment ? view.getUint8(at) : undefined;
    case 1:
      return view.getUint16(at, true) + 256;
    case 2:
      return view.getUint32(at, true);
    default:
      return Number(view.getBigUint64(at, true));
  }
}

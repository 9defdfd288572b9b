/** The stages of external codecs. */

import { InvalidMetadataError } from "../errors.js";
import { BuiltInDecoder } from "./built-in-decoder.js";
import type { CreateExternal } from "./codecs.js";
import type { ExternalCodec } from "./external.js";
import { ExternalArrayCodec } from "./external-array.js";
import { GuardedCodec } from "./guarded-codec.js";
import { hostCodec } from "./host-codecs.js";
import type { External } from "./resolved.js";

/** An external codec in a chain. Without `codec` it is the host's or, where that has none, a built-in decoder. */
export interface LoadedCodec {
  readonly external: External;
  readonly codec?: ExternalCodec;
  readonly configuration: object;
}

/** Returns a function that creates the stages of these codecs. */
export function creatingExternal(loaded: readonly LoadedCodec[]): CreateExternal {
  return (step, shape) => {
    const found = loaded.find(({ external }) => external.path === step.path);
    if (found === undefined) {
      const rule = "not supported before an external codec that takes the array";
      throw new InvalidMetadataError(`${step.path}: ${step.name} is ${rule}`, { path: step.path });
    }
    const { codec, external, configuration } = found;
    if (external.kind !== "bytes_to_bytes") {
      return new ExternalArrayCodec(codec as ExternalCodec, step, external.kind, shape);
    }
    const host = hostCodec(step.name, configuration, step.decodedByteLength);
    const used = codec ?? host;
    return used === undefined ? new BuiltInDecoder(step) : new GuardedCodec(used, step, codec && host);
  };
}

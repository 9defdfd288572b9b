/** Checks of the codecs of others in a registry. */

import {
  type ExternalCodec,
  type ExternalCodecClass,
  GuardedCodec,
  locating,
  placed,
  placeOf,
  report,
  type Verify,
} from "../core.js";
import { locate } from "../errors.js";
import { bytesOf } from "../typed-array.js";
import { decodedByteLength, type Kind, placesOf } from "./lists.js";
import type { PipelineCodec, PipelineMetadata } from "./view.js";

/** The kinds of the codecs of each registry, by name. zarrita creates all codecs of a chain before it decodes a chunk. */
const KINDS = new WeakMap<object, Map<string, Kind>>();

/** The codecs of others by what {@link guarded} returned for them, so that two registrations check once. */
const ORIGINALS = new WeakMap<object, ExternalCodec>();

/** Returns a codec class whose bytes-to-bytes instances check the chunks that they decode. All else is that of the class. */
export function guarded(
  Codec: ExternalCodecClass,
  name: string,
  registry: object,
  verify: Verify,
): ExternalCodecClass {
  const kinds = KINDS.get(registry) ?? new Map<string, Kind>();
  KINDS.set(registry, kinds);
  return overridden(Codec, {
    fromConfig(configuration: unknown, metadata: PipelineMetadata | undefined) {
      const created = Codec.fromConfig(configuration as never, metadata as never);
      const codec = ORIGINALS.get(created) ?? created;
      const { kind = "bytes_to_bytes" } = codec;
      kinds.set(name, kind);
      if (kind !== "bytes_to_bytes") return codec;
      const wrapped = guardedCodec(codec, { name, configuration }, metadata, kinds, verify);
      ORIGINALS.set(wrapped, codec);
      return wrapped;
    },
  });
}

function guardedCodec(
  codec: ExternalCodec,
  entry: PipelineCodec,
  metadata: PipelineMetadata | undefined,
  kinds: ReadonlyMap<string, Kind>,
  verify: Verify,
): ExternalCodec {
  let checking: GuardedCodec | undefined;
  return overridden(codec, {
    decode(encoded: unknown) {
      // Not before: the kinds of codecs that are created later were unknown.
      checking ??= new GuardedCodec(codec, stepOf(entry, metadata, kinds));
      const bytes = bytesOf(encoded, "encoded");
      const place = placeOf(encoded as object);
      return locating(placed(bytes, place), () => decode(checking as GuardedCodec, bytes, verify));
    },
  });
}

/** Returns what is known of a codec's place in the chain. */
function stepOf(
  codec: PipelineCodec,
  metadata: PipelineMetadata | undefined,
  kinds: ReadonlyMap<string, Kind>,
) {
  const { name } = codec;
  const [place, ...others] = placesOf(codec, metadata);
  if (place === undefined) return { name, path: "codecs" };
  const path = `codecs[${place}]`;
  // The codec may be one of several, all but the first of which follow others that encode to any length.
  const length =
    others.length === 0 ? decodedByteLength(metadata as PipelineMetadata, place, kinds) : undefined;
  return length === undefined ? { name, path } : { name, path, decodedByteLength: length };
}

async function decode(codec: GuardedCodec, encoded: Uint8Array, verify: Verify): Promise<Uint8Array> {
  try {
    return await codec.decode(encoded, verify !== false);
  } catch (error) {
    report(locate(error, placeOf(encoded) ?? {}), verify);
    return codec.decode(encoded, false);
  }
}

/** Returns an object with other methods, which is the given one in all else. */
function overridden<T extends object>(object: T, methods: Readonly<Record<string, unknown>>): T {
  // A proxy must return the properties of a frozen target as they are.
  const target: T = Object.isFrozen(object) ? Object.create(object) : object;
  return new Proxy(target, {
    get(_, key) {
      if (Object.hasOwn(methods, key)) return methods[key as string];
      const value: unknown = Reflect.get(object, key);
      // Private members exist only in the actual object.
      const isMethod = typeof value === "function" && key !== "constructor";
      return isMethod ? value.bind(object) : value;
    },
  });
}

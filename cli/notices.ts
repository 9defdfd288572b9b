/** Which damage codecs can notice. */

/** A codec in the metadata of an array. */
export type Codec =
  | string
  | { readonly name: string; readonly configuration?: Readonly<Record<string, unknown>> };

const CHECKSUM = "notices every change but 1 in 4 billion";
const LITTLE = "notices that bytes are missing, and few other changes";

const NOTICES: Readonly<Record<string, string>> = {
  bytes: "notices a wrong length",
  endian: "notices a wrong length",
  transpose: "notices nothing",
  reshape: "notices nothing",
  crc32c: CHECKSUM,
  gzip: `${CHECKSUM} (CRC-32)`,
  zlib: "notices nearly every change (Adler-32)",
  crc32: CHECKSUM,
  adler32: "notices nearly every change (Adler-32)",
  fletcher32: "notices nearly every change (Fletcher-32)",
  blosc: LITTLE,
  lz4: LITTLE,
  shuffle: "notices nothing",
};

const nameOf = (codec: Codec): string => (typeof codec === "string" ? codec : codec.name);

export const configurationOf = (codec: Codec): Readonly<Record<string, unknown>> =>
  typeof codec === "string" ? {} : (codec.configuration ?? {});

/** Returns which damage a codec can notice. */
export function noticeOf(codec: Codec): string {
  const name = nameOf(codec).replace(/^numcodecs\./, "");
  const configuration = configurationOf(codec);
  if (name === "zstd")
    return configuration.checksum === true ? `${CHECKSUM} (checksum of its frames)` : LITTLE;
  if (name === "sharding_indexed") {
    const index = configuration.index_codecs;
    const hasChecksum = Array.isArray(index) && index.some((inner) => nameOf(inner) === "crc32c");
    return hasChecksum ? "notices every change of its index" : "notices an index that contradicts itself";
  }
  return NOTICES[name] ?? "is not known here, so its chunks are only checked to be present";
}

/** Writes a codec with the simple members of its configuration. */
export function codecText(codec: Codec): string {
  const simple = Object.entries(configurationOf(codec))
    .filter(([name]) => name !== "codecs" && name !== "index_codecs")
    .map(([name, value]) => `${name} ${Array.isArray(value) ? `[${value.join(", ")}]` : value}`);
  return simple.length > 0 ? `${nameOf(codec)} (${simple.join(", ")})` : nameOf(codec);
}

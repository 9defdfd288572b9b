// A Cloudflare worker in front of a Zarr store: decodes chunks, and rejects damaged ones.
//
//   GET /<array>/<chunk key>   the elements as JSON, or 502 and the error
//
// `env.STORE` is the service that has the store's files: static assets, or another worker in front of a bucket.

import { createCodecChain, isZarrCodecError } from "zarr-codecs";

export default {
  async fetch(request, env) {
    const [array, ...key] = new URL(request.url).pathname.slice(1).split("/");
    const [metadata, encoded] = await Promise.all([
      env.STORE.fetch(new URL(`/${array}/zarr.json`, request.url)),
      env.STORE.fetch(new URL(`/${array}/${key.join("/")}`, request.url)),
    ]);
    if (!metadata.ok || !encoded.ok) return Response.json({ error: "no such chunk" }, { status: 404 });
    try {
      const chain = createCodecChain(await metadata.json());
      const { data, shape } = chain.decode(await encoded.arrayBuffer());
      // What JSON has no number for is a string, as it is in Zarr's own metadata.
      const elements = Array.from(data, (value) => (Number.isFinite(value) ? value : String(value)));
      return Response.json({ dataType: chain.dataType, shape, elements });
    } catch (error) {
      if (!isZarrCodecError(error)) throw error;
      return Response.json({ error: error.name, message: error.message, ...error }, { status: 502 });
    }
  },
};

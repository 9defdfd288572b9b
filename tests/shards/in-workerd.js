// A worker that reads shards from an R2 bucket: with `openShard`, and through zarrita with `withCodecs`.

import { createCodecChain, openShard, withCodecs } from "zarr-codecs";
import { get, open, root } from "zarrita";
import { elementsOf } from "../zarrita/stores.mjs";

/** Reads a range of an object. */
async function readRange(bucket, key, range, requests) {
  requests.push(range);
  const { suffixLength: suffix } = range;
  const object = await bucket.get(key.slice(1), { range: suffix === undefined ? range : { suffix } });
  return object ? new Uint8Array(await object.arrayBuffer()) : undefined;
}

export default {
  async fetch(request, { BUCKET }) {
    const { pathname, searchParams } = new URL(request.url);
    const requests = [];
    const store = {
      async get(key) {
        const object = await BUCKET.get(key.slice(1));
        return object ? new Uint8Array(await object.arrayBuffer()) : undefined;
      },
      getRange: (key, range) => readRange(BUCKET, key, range, requests),
    };
    try {
      if (!searchParams.has("shard")) {
        const array = await open.v3(root(withCodecs(store)).resolve(pathname), { kind: "array" });
        return Response.json({ data: elementsOf(await get(array)), requests });
      }
      const metadata = JSON.parse(new TextDecoder().decode(await store.get(`${pathname}/zarr.json`)));
      const source = (range) =>
        readRange(BUCKET, `${pathname}/${searchParams.get("shard")}`, range, requests);
      const shard = await openShard(createCodecChain(metadata), source);
      const chunks = await Promise.all([shard.decode([0, 0]), shard.decode([0, 1])]);
      return Response.json({ data: chunks.map(({ data }) => [...data]), requests });
    } catch (error) {
      const { code, key, chunk, range } = error.cause ?? error;
      return Response.json({ code, key, chunk, range, message: error.message }, { status: 502 });
    }
  },
};

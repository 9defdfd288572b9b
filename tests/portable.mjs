// With `node --import` before a test: what it imports as "zarr-codecs" is "zarr-codecs/portable".

import { register } from "node:module";

const hooks = `export const resolve = (specifier, context, next) =>
  next(specifier === "zarr-codecs" ? "zarr-codecs/portable" : specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

const { backend } = await import("zarr-codecs");
if (backend() !== "portable") throw new Error(`the tests would run the build ${backend()}`);

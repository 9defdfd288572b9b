// What the page says of errors of other people's codecs.

import assert from "node:assert/strict";
import { test } from "node:test";
import Zstd from "numcodecs/zstd";
import { plainError, withoutTypes } from "../../www/workers/errors.js";

test("what C++ calls an exception is not shown", async () => {
  const codec = Zstd.fromConfig({ level: 1 });
  const encoded = Uint8Array.from(
    await codec.encode(Uint8Array.from({ length: 999 }, (_, i) => (i * i) % 251)),
  );
  encoded.fill(255, 0, 4);
  const error = await Promise.resolve()
    .then(() => codec.decode(encoded))
    .catch((error) => error);
  assert.match(String(error.message ?? error), /std::/);
  assert.match(plainError(error).message, /^zstd codec error: /);
  assert.doesNotMatch(plainError(error).message, /std::/);
  assert.equal(withoutTypes("codecs[1]: zstd: std::runtime_error,bad block"), "codecs[1]: zstd: bad block");
});

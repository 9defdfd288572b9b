// isZarrCodecError, with errors of several copies of the package.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as api from "zarr-codecs";

test("recognises errors of another copy of the package, and nothing else", async () => {
  const url = new URL("errors.js?another", import.meta.resolve("zarr-codecs/zarrita"));
  const another = await import(url);
  const error = new another.InvalidArgumentError("out overlaps", { argument: "out" });
  assert.ok(!(error instanceof api.ZarrCodecError));
  assert.ok(api.isZarrCodecError(error));
  // Copies of all versions agree on this symbol.
  assert.ok(Symbol.for("zarr-codecs.error") in error);
  const has = () => {
    throw new Error("no");
  };
  const proxy = new Proxy({}, { has });
  for (const other of [new Error("x"), { code: "invalid_argument" }, "x", null, undefined, 1, proxy]) {
    assert.equal(api.isZarrCodecError(other), false);
  }
});

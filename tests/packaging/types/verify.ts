// Stores to verify, and what comes of it.

import {
  mergeSummaries,
  type Summary,
  type UnitResult,
  type VerifiableStore,
  verifyStore,
} from "zarr-codecs/verify";
import { type Equal, expectTrue } from "./equal.js";

const store: VerifiableStore = new Map<string, Uint8Array>();
const results = verifyStore(store, {
  part: { index: 0, count: 2 },
  require: "decoded",
  sample: { percent: 1 },
});
expectTrue<Equal<typeof results, AsyncGenerator<UnitResult, Summary, void>>>();

const next = await results.next();
if (next.done)
  mergeSummaries([next.value]).verdict satisfies "sound" | "damaged" | "insufficient" | "incomplete";
else next.value.error?.code satisfies string | undefined;

// @ts-expect-error: not a proof
verifyStore(store, { require: "none" });
// @ts-expect-error: nothing can be read from it
verifyStore({ list: () => [] });

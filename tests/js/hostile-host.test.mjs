// What `hostile-cases.mjs` and `hostile-hosts.mjs` do, in Node.

import { test } from "node:test";
import vm from "node:vm";
import { register } from "zarr-codecs/zarrita";
import * as zarrita from "zarrita";
import * as cases from "./hostile-cases.mjs";
import { expectWorks } from "./hostile-helpers.mjs";
import * as hosts from "./hostile-hosts.mjs";

const context = vm.createContext({});

const host = { zarrita, register, evaluate: (code) => vm.runInContext(code, context) };
for (const [name, run] of Object.entries({ ...cases, ...hosts })) {
  test(name, async () => {
    await run(host);
    expectWorks();
  });
}

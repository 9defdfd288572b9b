// What `tests/js/hostile-cases.mjs` and `hostile-hosts.mjs` do, in Chromium.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as cases from "../js/hostile-cases.mjs";
import * as hosts from "../js/hostile-hosts.mjs";
import { openPage } from "./page.mjs";

describe("in Chromium", () => {
  let browser;
  let tab;
  let problems;

  before(async () => {
    ({ browser, tab, problems } = await openPage());
  });

  after(() => browser?.close());

  // The test of the store needs zarrita, which `zarrita.test.mjs` bundles.
  const { lyingStore, ...all } = { ...cases, ...hosts };
  for (const name of Object.keys(all)) {
    test(name, async () => {
      const failure = await tab.evaluate(async (name) => {
        const cases = {
          ...(await import("/js/hostile-cases.mjs")),
          ...(await import("/js/hostile-hosts.mjs")),
        };
        const { expectWorks } = await import("/js/hostile-helpers.mjs");
        const frame = document.body.appendChild(document.createElement("iframe"));
        const evaluate = (code) => frame.contentWindow.eval(code);
        try {
          await cases[name]({ evaluate });
          expectWorks();
          return undefined;
        } catch (error) {
          return String(error?.stack ?? error);
        }
      }, name);
      assert.equal(failure, undefined);
    });
  }

  test("nothing was logged", () => assert.deepEqual(problems, []));
});

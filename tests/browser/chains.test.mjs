// Chains with codecs of others in Chromium: every chunk in both directions with zarrita's codecs and with the host's, and every
// damage.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { testChains, zarrita } from "./chain-tests.mjs";
import { openPage } from "./page.mjs";

describe("chains in Chromium", () => {
  let browser;
  let tab;
  let problems;

  before(async () => {
    ({ browser, tab, problems } = await openPage({ zarrita }));
  });

  after(() => browser?.close());

  testChains((name, argument) =>
    tab.evaluate(
      async ([name, argument]) => (await import("/browser/chains.mjs"))[name](argument),
      [name, argument],
    ),
  );

  test("nothing is logged", () => {
    assert.deepEqual(problems, []);
  });
});

// Chains with codecs of others in Firefox. `npm run test:firefox` runs it.

import { after, before, describe } from "node:test";
import { testChains, zarrita } from "./chain-tests.mjs";
import { openInFirefox } from "./page.mjs";

describe("chains in Firefox", () => {
  let firefox;

  before(async () => {
    firefox = await openInFirefox({ zarrita });
  });

  after(() => firefox?.close());

  testChains((name, argument) => firefox.call("/browser/chains.mjs", name, argument));
});

// Chains with codecs of others in Firefox. `npm run test:firefox` runs it.

import { launchFirefox } from "../../scripts/browsers.mjs";
import { testChains } from "./chain-tests.mjs";

testChains("Firefox", launchFirefox);

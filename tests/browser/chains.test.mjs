// Chains with codecs of others in Chromium.

import { launchChromium } from "../../scripts/browsers.mjs";
import { testChains } from "./chain-tests.mjs";

testChains("Chromium", launchChromium);

// The tested versions of zarrita, each with its own registry.

import * as zarrita07 from "zarrita";
import * as zarrita04 from "zarrita-0.4";
import * as zarrita05 from "zarrita-0.5";
import * as zarrita06 from "zarrita-0.6";

export const VERSIONS = { 0.4: zarrita04, 0.5: zarrita05, 0.6: zarrita06, 0.7: zarrita07 };

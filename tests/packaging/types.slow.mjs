// Slow: compilers that are written in JavaScript check the types of every library.

import { testTypes } from "./types.mjs";

testTypes("built");
testTypes("5.7", ["ECMAScript alone", "the DOM"]);

// Verifies chunks with this package, which gets the codecs that it lacks from zarrita.

import { expose } from "comlink";
import { Verifier } from "./verifier.js";

expose(new Verifier());

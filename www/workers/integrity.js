// Verifies chunks with this package alone.

import { expose } from "comlink";
import { Verifier } from "./verifier.js";

expose(new Verifier());

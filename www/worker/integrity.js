import { expose } from "comlink";
import { Verifier } from "../integrity/verifier.js";

expose(new Verifier());

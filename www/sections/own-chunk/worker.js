import { expose } from "comlink";
import { OpenChunk } from "./open-chunk.js";

expose(new OpenChunk());

// zarrita with its own codecs: a worker has a copy of zarrita to itself, in which nothing else is registered.

import { expose } from "comlink";
import { Reader } from "./reader.js";

expose(new Reader());

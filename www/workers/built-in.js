// zarrita as it comes. A worker has its own copy, in which nobody has registered anything.

import { expose } from "comlink";
import { Reader } from "./reader.js";

expose(new Reader());

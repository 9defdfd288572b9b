// zarrita with the codecs of this package: one import.

import "zarr-codecs/zarrita";
import { expose } from "comlink";
import { Reader } from "./reader.js";

expose(new Reader());

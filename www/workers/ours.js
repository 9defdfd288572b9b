// zarrita with the codecs of this package: importing them is enough.

import "zarr-codecs/zarrita";
import { expose } from "comlink";
import { Reader } from "./reader.js";

expose(new Reader());

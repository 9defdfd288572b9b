// zarrita with the codecs of this package. Importing them is enough; the guard also checks what zarrita's own decode.

import "zarr-codecs/zarrita";
import { expose } from "comlink";
import { register } from "zarr-codecs/register";
import { registry } from "zarrita";
import { Reader } from "./reader.js";

register(registry, { guard: true });
expose(new Reader());

import { createCRC32 } from "hash-wasm";

(await createCRC32(0x82f63b78)).init().update(new Uint8Array(4)).digest("binary");

import { createCodecChain } from "zarr-codecs";

const codecs = [{ name: "bytes", configuration: { endian: "big" } }];
createCodecChain({ dataType: "uint16", shape: [2], codecs }).decode(new Uint8Array(4));

const { crc32c } = require("zarr-codecs");
const { run } = require("./program.js");

crc32c(new Uint8Array(1));
run().then((seen) => console.log(JSON.stringify(seen)));

// The memory of the WebAssembly module is fixed: neither chunks nor errors make it grow.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertSameBytes, metadataOf, noise } from "../js/helpers.mjs";

// Records what the package instantiates, which it does on first use.
const instances = [];
WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(...args) {
    const instance = Reflect.construct(...args);
    instances.push(instance);
    return instance;
  },
});

const { Crc32c, createCodecChain, crc32c, ZarrCodecError } = await import("zarr-codecs");
crc32c(new Uint8Array(1));
const exported = Object.values(instances[0].exports);
const memory = exported.find((value) => value instanceof WebAssembly.Memory);
const tables = exported.filter((value) => value instanceof WebAssembly.Table);

const MIB = 2 ** 20;
const first = memory.buffer;

/** Asserts that there is one instance, whose memory is still the same and of the same length. */
function assertFixed() {
  assert.equal(instances.length, 1);
  assert.equal(memory.buffer, first, "the memory was detached");
  assert.equal(memory.buffer.byteLength, first.byteLength);
}

/** Runs `f` often, and asserts that the tables of JavaScript values grow only in the first 100 runs. */
function often(times, f) {
  for (let i = 0; i < 100; i++) f(i);
  const lengths = tables.map(({ length }) => length);
  for (let i = 100; i < times; i++) f(i);
  assert.deepEqual(
    tables.map(({ length }) => length),
    lengths,
    "a table grew",
  );
  assertFixed();
}

const little = { name: "bytes", configuration: { endian: "little" } };
const tolerate = (f) => {
  try {
    f();
    return true;
  } catch (error) {
    assert.ok(error instanceof ZarrCodecError, String(error?.stack));
    return false;
  }
};

test("the module has a memory of at most 1 MiB", () => {
  assert.ok(memory instanceof WebAssembly.Memory);
  assert.ok(memory.buffer.byteLength <= MIB, `${memory.buffer.byteLength} bytes`);
});

test("the memory cannot grow", () => {
  assert.throws(() => memory.grow(1), RangeError);
  assertFixed();
});

describe("the memory does not change", () => {
  test("for a chunk of 16 MiB", () => {
    const length = 16 * MIB;
    const chain = createCodecChain(metadataOf({ shape: [length / 4], checksums: 1 }));
    const encoded = new Uint8Array(length + 4).fill(0x3f, 0, 4);
    encoded.set([0x40, 0x49, 0x0f, 0xdb], length - 4); // the binary32 nearest to pi
    new DataView(encoded.buffer).setUint32(length, crc32c(encoded.subarray(0, length)), true);
    const { data } = chain.decode(encoded);
    assert.deepEqual([data[1], data.at(-1)], [0, Math.fround(Math.PI)]);
    assertFixed();
    assert.ok(Buffer.from(chain.encode(data).buffer).equals(encoded));
    assertFixed();
    encoded[length - 1] ^= 1;
    assert.equal(
      tolerate(() => chain.decode(encoded)),
      false,
    );
    assertFixed();
  });

  test("for a shard of 16 MiB", () => {
    const shape = [32, 512, 512];
    const configuration = { chunk_shape: [32, 32, 32], codecs: [little, "crc32c"], index_codecs: [little] };
    const codecs = [{ name: "sharding_indexed", configuration }];
    const chain = createCodecChain({ dataType: "uint16", shape, codecs, fillValue: 0 });
    const data = new Uint16Array(8 * MIB).fill(0x1234);
    data[5] = 0; // In the first inner chunk.
    data.fill(0, 7 * MIB); // Among others, those of the last one in part.
    const encoded = chain.encode(data);
    assertFixed();
    const decoded = chain.decode(encoded).data;
    assertFixed();
    assert.ok(Buffer.from(decoded.buffer).equals(Buffer.from(data.buffer)));
    encoded[7] ^= 1;
    assert.equal(
      tolerate(() => chain.decode(encoded)),
      false,
    );
    assertFixed();
  });

  test("for 2000 chunks", () => {
    const chain = createCodecChain(metadataOf({ shape: [16], checksums: 1 }));
    const data = new Float32Array(noise(64).buffer);
    const encoded = chain.encode(data);
    often(2000, () => {
      chain.encode(chain.decode(encoded));
    });
    assertSameBytes(chain.decode(encoded).data, data);
  });

  test("for 2000 checksums", () => {
    const crc = new Crc32c();
    const bytes = noise(100);
    often(2000, () => crc.update(bytes));
  });

  test("for 1000 chains", () => {
    often(1000, (i) => {
      createCodecChain(
        metadataOf({ dataType: `r${8 * (1 + (i % 50))}`, shape: [1 + i, 1, 2], checksums: i % 4 }),
      );
    });
  });

  const FAILURES = {
    "invalid metadata": () => createCodecChain({ dataType: "float32", shape: [1], codecs: ["bytes"] }),
    "metadata with long texts": () =>
      createCodecChain({ dataType: "\u{10ffff}".repeat(4000), shape: [1], codecs: [little] }),
    "wrong lengths": () => createCodecChain(metadataOf()).decode(new Uint8Array(3)),
    "wrong checksums": () =>
      createCodecChain(metadataOf({ shape: [100], checksums: 1 })).decode(new Uint8Array(404).fill(1)),
    "invalid elements": () =>
      createCodecChain(metadataOf({ dataType: "bool", endian: undefined })).decode(new Uint8Array(4).fill(2)),
    "wrong arguments": () =>
      createCodecChain(metadataOf()).decode(new Uint8Array(16), { out: new Uint8Array(1) }),
  };
  for (const [what, fail] of Object.entries(FAILURES)) {
    test(`for 1000 errors about ${what}`, () => {
      often(1000, () => {
        assert.equal(tolerate(fail), false);
      });
    });
  }

  /** Returns the largest metadata that `make` creates from a number below 2^16 without being rejected as too large. */
  function largest(make) {
    let [fits, over] = [0, 2 ** 16];
    while (over - fits > 1) {
      const size = (fits + over) >> 1;
      let tooLarge = false;
      try {
        createCodecChain(make(size));
      } catch (error) {
        assert.ok(error instanceof ZarrCodecError, `${size}: ${error?.stack}`);
        tooLarge = / at most .* (values|characters|levels deep), got more$/.test(error.message);
      }
      assertFixed();
      if (tooLarge) over = size;
      else fits = size;
    }
    assert.ok(fits > 0 && over < 2 ** 16, `${fits}`);
    return make(fits);
  }

  const metadataWith = (members) => ({ dataType: "uint8", shape: [1], codecs: ["bytes"], ...members });
  const skippedWith = (configuration) =>
    metadataWith({ codecs: ["bytes", { name: "x", must_understand: false, configuration }] });
  // UTF-16 code units that are one, two and three bytes of UTF-8; a surrogate pair, which is four; and half of one.
  for (const unit of ["x", "\u00e9", "\uffff", "\u{10ffff}", "\ud800"]) {
    const text = (size) => unit.repeat(size);
    const LARGE = {
      "a data type of": (size) => metadataWith({ dataType: text(size) }),
      "the name of a codec of": (size) => metadataWith({ codecs: [text(size)] }),
      "the endian of": (size) =>
        metadataWith({ codecs: [{ name: "bytes", configuration: { endian: text(size) } }] }),
      "a member named by": (size) => metadataWith({ [text(size)]: 1 }),
      "a codec's member named by": (size) => metadataWith({ codecs: [{ name: "bytes", [text(size)]: 1 }] }),
      "a skipped configuration of": (size) => skippedWith({ text: text(size) }),
      "a skipped configuration with members named by": (size) =>
        skippedWith(
          Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`${text(size)}${i}`, text(size)])),
        ),
    };
    for (const [what, make] of Object.entries(LARGE)) {
      test(`for ${what} as many ${JSON.stringify(unit)} as are accepted`, () => {
        const metadata = largest(make);
        often(150, () => tolerate(() => createCodecChain(metadata)));
      });
    }
  }

  const shard = (chunkShape, ...codecs) => ({
    name: "sharding_indexed",
    configuration: { chunk_shape: chunkShape, codecs, index_codecs: [little] },
  });
  const structOf = (count, data_type) => {
    const fields = Array.from({ length: count }, (_, i) => ({ name: `field_${i}`, data_type }));
    return { name: "struct", configuration: { fields } };
  };
  const LONG = {
    dimensions: (size) => metadataWith({ shape: Array(size).fill(1) }),
    "dimensions of no length": (size) => metadataWith({ shape: Array(size).fill(0) }),
    "dimensions that are too long": (size) => metadataWith({ shape: Array(size).fill(2 ** 52) }),
    codecs: (size) => metadataWith({ codecs: ["bytes", ...Array(size).fill("crc32c")] }),
    "codecs in full": (size) =>
      metadataWith({
        codecs: ["bytes", ...Array(size).fill({ name: "crc32c", configuration: {}, must_understand: true })],
      }),
    "dimensions of shards": (size) =>
      metadataWith({
        shape: Array(size).fill(1),
        codecs: [shard(Array(size).fill(1), "bytes")],
        fillValue: 0,
      }),
    "dimensions of shards in shards": (size) => {
      const chunkShape = Array(size).fill(1);
      return metadataWith({
        shape: chunkShape,
        codecs: [shard(chunkShape, shard(chunkShape, shard(chunkShape, "bytes")))],
        fillValue: 0,
      });
    },
    "shards in shards": (size) => {
      let codec = "bytes";
      for (let i = 0; i < size; i++) codec = shard([1], codec);
      return metadataWith({ codecs: [codec], fillValue: 0 });
    },
    "dimensions of shards in shards of long elements": (size) => {
      const dataType = { name: "fixed_length_utf32", configuration: { length_bytes: 65536 } };
      const shape = Array(size).fill(1);
      const codec = shard(shape, shard(shape, shard(shape, shard(shape, little))));
      return metadataWith({ dataType, shape, codecs: [codec], fillValue: "" });
    },
    fields: (size) => metadataWith({ dataType: structOf(size, "uint8") }),
    "fields of dates, in shards in shards": (size) => {
      const dates = { name: "numpy.datetime64", configuration: { unit: "ns", scale_factor: 10 } };
      const codec = shard([1], shard([1], shard([1], little)));
      return metadataWith({ dataType: structOf(size, dates), codecs: [codec], fillValue: 0 });
    },
    "fields beside as many codecs": (size) =>
      metadataWith({ dataType: structOf(size, "int16"), codecs: [little, ...Array(1000).fill("crc32c")] }),
    "codecs of inner chunks": (size) =>
      metadataWith({ codecs: [shard([1], "bytes", ...Array(size).fill("crc32c"))], fillValue: 0 }),
    "skipped codecs": (size) =>
      metadataWith({ codecs: [...Array(size).fill({ name: "x", must_understand: false }), "bytes"] }),
    "skipped values": (size) => skippedWith({ values: Array(size).fill(0) }),
    "skipped arrays": (size) => skippedWith({ values: Array(size).fill([]) }),
    "skipped members": (size) =>
      skippedWith(Object.fromEntries(Array.from({ length: size }, (_, i) => [`m${i}`, {}]))),
    "skipped levels": (size) => {
      let value = 0;
      for (let i = 0; i < size; i++) value = [value];
      return skippedWith({ value });
    },
  };
  for (const [what, make] of Object.entries(LONG)) {
    test(`for as many ${what} as are accepted`, () => {
      const metadata = largest(make);
      often(150, () => {
        tolerate(() => {
          const chain = createCodecChain(metadata);
          const { encodedByteLength } = chain;
          tolerate(() => chain.decode(new Uint8Array(encodedByteLength + 1)));
          tolerate(() => chain.encode(new Uint8Array(5)));
          chain.encode(chain.decode(new Uint8Array(encodedByteLength), { verify: false }));
        });
      });
    });
  }

  test("for an array with attributes of any size", () => {
    const array = {
      zarr_format: 3,
      node_type: "array",
      data_type: "uint8",
      chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } },
      codecs: ["bytes"],
      attributes: { text: "\uffff".repeat(MIB), values: Array(MIB).fill(0) },
    };
    often(150, () => createCodecChain(array));
  });
});

test("chunks are not views of the memory", () => {
  for (const endian of ["little", "big"]) {
    const chain = createCodecChain(metadataOf({ endian }));
    const encoded = new Uint8Array(16);
    assert.notEqual(chain.decode(encoded).data.buffer, memory.buffer);
    assert.notEqual(chain.encode(new Float32Array(4)).buffer, memory.buffer);
  }
});

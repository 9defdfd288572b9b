"""Writes the chunks that tests/rust/guard.rs checks and tests/decoders/ decodes: of blosc, zstd, gzip, zlib and lz4, by every writer at hand.

    python generate.py                    writes chunks.json
    python generate.py --random N FILE    writes N random chunks, for the test that reads GUARD_CHUNKS
"""

import argparse
import gzip
import io
import json
import random
import struct
import subprocess
import sys
import warnings
import zlib
from pathlib import Path

import blosc
import cramjam
import numcodecs
import numpy as np
import tensorstore as ts
import zarr
import zarrs
import zstandard

warnings.simplefilter("ignore")
CNAMES = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]


def ramp(count: int, dtype: str) -> bytes:
    """Elements that compress well, but not to nothing."""
    index = np.arange(count)
    return ((index * index // 97) % 251).astype(dtype).tobytes()


def noise(length: int, seed: int = 1) -> bytes:
    return np.random.default_rng(seed).bytes(length)


def bloscs():
    """Blosc chunks with several blocks, split and not, and ones that are stored."""
    data = ramp(1100, "<u2")
    for cname in CNAMES:
        for shuffle in range(3):
            codec = numcodecs.Blosc(cname, clevel=5, shuffle=shuffle, blocksize=512, typesize=2)
            yield f"{cname} shuffle {shuffle}", "blosc", codec.encode(data), data
        data4 = ramp(400, "<f4")
        codec = numcodecs.Blosc(cname, clevel=9, shuffle=1, typesize=4)
        yield f"{cname} one block", "blosc", codec.encode(data4), data4
        mixed = ramp(300, "<u2") + noise(600) + ramp(300, "<u2")
        codec = numcodecs.Blosc(cname, clevel=5, shuffle=1, blocksize=512, typesize=2)
        yield f"{cname} with stored streams", "numcodecs.blosc", codec.encode(mixed), mixed
        long = ramp(512, "<u2") * 150
        codec = numcodecs.Blosc(cname, clevel=5, shuffle=1, blocksize=512, typesize=2)
        if cname != "zstd":  # Whose blocks are not split, so they are several above.
            yield f"{cname} several blocks", "blosc", codec.encode(long), long
    for length in (0, 1, 3, 127, 128, 129):
        data = ramp(length, "u1")
        yield f"{length} bytes", "blosc", numcodecs.Blosc().encode(np.frombuffer(data, "u1")), data
    yield "noise", "blosc", numcodecs.Blosc(typesize=4).encode(noise(1000)), noise(1000)
    yield "level 0", "blosc", numcodecs.Blosc(clevel=0, typesize=2).encode(data), data
    data = ramp(3000, "u1")
    yield "elements of 300 bytes", "blosc", numcodecs.Blosc(typesize=300).encode(data), data
    yield "elements of 20 bytes", "blosc", numcodecs.Blosc(typesize=20).encode(data), data
    blosc.set_blocksize(1024)
    blosc.set_nthreads(4)
    data = ramp(5000, "<u2")
    yield "python-blosc, 4 threads", "blosc", blosc.compress(data, 2, 5, blosc.SHUFFLE, "lz4"), data
    blosc.set_blocksize(0)
    yield "snappy", "blosc", snappy_blosc(ramp(1024, "u1")), ramp(1024, "u1")


def snappy_blosc(data: bytes) -> bytes:
    """A chunk of two blocks as c-blosc writes it when built with snappy, which no package is."""
    half = len(data) // 2
    streams = [bytes(cramjam.snappy.compress_raw(part)) for part in (data[:half], data[half:])]
    starts, blocks = [], b""
    for stream in streams:
        starts.append(24 + len(blocks))
        blocks += struct.pack("<I", len(stream)) + stream
    lengths = struct.pack("<3I", len(data), half, 24 + len(blocks))
    return bytes([2, 1, 2 << 5 | 16, 1]) + lengths + struct.pack("<2I", *starts) + blocks


def zstds():
    data = ramp(1100, "<u2")
    for level in (-5, 0, 3, 19):
        for checksum in (False, True):
            codec = numcodecs.Zstd(level=level, checksum=checksum)
            name = f"level {level}{', checksum' if checksum else ''}"
            yield name, "zstd", codec.encode(data), data
    yield "nothing", "zstd", numcodecs.Zstd(checksum=True).encode(b""), b""
    yield "noise", "zstd", numcodecs.Zstd(checksum=True).encode(noise(300)), noise(300)
    yield "zeros", "numcodecs.zstd", numcodecs.Zstd().encode(bytes(400_000)), bytes(400_000)
    for checksum in (False, True):
        options = {"write_content_size": False, "write_checksum": checksum}
        encoder = zstandard.ZstdCompressor(level=3, **options)
        name = f"no content size{', checksum' if checksum else ''}"
        yield name, "zstd", encoder.compress(data), data
    long = zstandard.ZstdCompressor(
        compression_params=zstandard.ZstdCompressionParameters(window_log=27, write_content_size=0)
    )
    yield "window of 128 MiB", "zstd", stream(long, data), data
    one = zstandard.ZstdCompressor(write_checksum=True).compress
    skippable = struct.pack("<2I", 0x184D2A53, 5) + b"12345"
    yield "skippable frames", "zstd", skippable + one(data) + skippable, data
    yield "two frames", "zstd", one(data[:700]) + skippable + one(data[700:]), data


def stream(compressor: zstandard.ZstdCompressor, data: bytes) -> bytes:
    target = io.BytesIO()
    with compressor.stream_writer(target, closefd=False) as writer:
        for at in range(0, len(data), 999):
            writer.write(data[at : at + 999])
            writer.flush(zstandard.FLUSH_BLOCK)
    return target.getvalue()


def gzip_header(flags: int, extra: bytes = b"") -> bytes:
    header = bytes([0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 255]) + extra
    return header + struct.pack("<H", zlib.crc32(header) & 0xFFFF) if flags & 2 else header


def gzips():
    data = ramp(1100, "<u2")
    for level in (0, 1, 9):
        yield f"level {level}", "gzip", numcodecs.GZip(level=level).encode(data), data
    plain = gzip.compress(data, mtime=0)
    yield "nothing", "gzip", gzip.compress(b"", mtime=0), b""
    fields = struct.pack("<H", 3) + b"abc" + b"name\0" + b"a comment\0"
    yield "every field", "numcodecs.gzip", gzip_header(0x1F, fields) + plain[10:], data
    named = io.BytesIO()
    with gzip.GzipFile("a name", "wb", fileobj=named, mtime=0) as file:
        file.write(data)
    yield "name", "gzip", named.getvalue(), data
    one = lambda part: gzip.compress(part, mtime=0)
    yield "two members", "gzip", one(data[:700]) + one(data[700:]), data
    yield "empty last member", "gzip", one(data) + one(b""), data
    yield "empty first member", "gzip", one(b"") + one(data), data


def zlibs():
    data = ramp(1100, "<u2")
    for level in (0, 1, 6, 9):
        yield f"level {level}", "zlib", numcodecs.Zlib(level=level).encode(data), data
    yield "nothing", "numcodecs.zlib", zlib.compress(b""), b""
    small = zlib.compressobj(9, zlib.DEFLATED, 9)
    yield "small window", "zlib", small.compress(data) + small.flush(), data


def commands():
    """Chunks that the commands write, which read a stream of unknown length."""
    data = ramp(1100, "<u2")
    for options in (["-1"], ["-9"]):
        yield f"command {options[0]}", "gzip", piped(["gzip", "-c", *options], data), data
    for options in (["-1"], ["-19"], ["-3", "--long=27"], ["-3", "--no-check"], ["--fast=7"], ["--ultra", "-22"]):
        yield f"command {' '.join(options)}", "zstd", piped(["zstd", "-q", "-c", *options], data), data
    yield "command, frames", "zstd", piped(["zstd", "-q", "-c"], data[:999]) + piped(["zstd", "-q", "-c"], data[999:]), data


def piped(command: list[str], data: bytes) -> bytes:
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


def lz4s():
    data = ramp(1100, "<u2")
    yield "ramp", "lz4", numcodecs.LZ4().encode(data), data
    yield "noise", "numcodecs.lz4", numcodecs.LZ4().encode(noise(300)), noise(300)
    yield "zeros", "lz4", numcodecs.LZ4(acceleration=9).encode(bytes(400_000)), bytes(400_000)
    yield "one byte", "lz4", numcodecs.LZ4().encode(b"a"), b"a"
    high = struct.pack("<I", len(data)) + bytes(cramjam.lz4.compress_block(data, mode="high_compression", compression=12, store_size=False))
    yield "high compression", "lz4", high, data


def arrays():
    """Chunks that the implementations of Zarr write."""
    data = np.arange(800, dtype="<u2") // 3
    configurations = [
        {"name": "blosc", "configuration": {"cname": cname, "clevel": 5, "shuffle": shuffle, "typesize": 2, "blocksize": 0}}
        for cname in CNAMES
        for shuffle in ("noshuffle", "shuffle", "bitshuffle")
    ]
    configurations += [
        {"name": "zstd", "configuration": {"level": 3, "checksum": checksum}} for checksum in (False, True)
    ]
    configurations += [{"name": "gzip", "configuration": {"level": 5}}]
    for codec in configurations:
        for writer, write in (("zarr-python", by_zarr), ("zarrs", by_zarrs), ("tensorstore", by_tensorstore)):
            name = f"{writer} {' '.join(str(value) for value in codec['configuration'].values())}"
            yield name, codec["name"], write(data, codec), data.tobytes()


def metadata(data, codec):
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": list(data.shape),
        "data_type": str(data.dtype),
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(data.shape)}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": 0,
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, codec],
        "attributes": {},
    }


def by_zarr(data, codec, pipeline="zarr.core.codec_pipeline.BatchedCodecPipeline"):
    import tempfile

    with tempfile.TemporaryDirectory() as folder, zarr.config.set({"codec_pipeline.path": pipeline}):
        Path(folder, "zarr.json").write_text(json.dumps(metadata(data, codec)))
        zarr.open_array(folder, mode="r+")[...] = data
        return Path(folder, "c/0").read_bytes()


def by_zarrs(data, codec):
    return by_zarr(data, codec, "zarrs.ZarrsCodecPipeline")


def by_tensorstore(data, codec):
    spec = {"driver": "zarr3", "kvstore": "memory://", "metadata": metadata(data, codec)}
    for member in ("zarr_format", "node_type", "attributes"):
        del spec["metadata"][member]
    array = ts.open(spec, create=True).result()
    array.write(data).result()
    return array.kvstore["c/0"]


def randoms(count: int):
    """Random data, encoded in random ways."""
    rng = random.Random(7)
    for number in range(count):
        length = rng.choice([0, 1, rng.randrange(200), rng.randrange(5000), rng.randrange(300_000)])
        kind = rng.randrange(4)
        if kind == 0:
            data = noise(length, number)
        elif kind == 1:
            data = ramp(length // 8 + 1, rng.choice(["<u2", "<f4", "<f8", "u1"]))[:length]
        elif kind == 2:
            data = bytes(length)
        else:
            part = rng.randrange(length + 1)
            data = noise(part, number) + bytes(length - part)
        write = rng.randrange(10)
        if write < 4:
            codec = numcodecs.Blosc(
                rng.choice(CNAMES),
                clevel=rng.randrange(10),
                shuffle=rng.choice([0, 1, 2]),
                blocksize=rng.choice([0, 0, 256, 1000, 4096, 70_000]),
                typesize=rng.choice([1, 2, 3, 4, 8, 12, 16, 17, 100, 255, 256]),
            )
            name, encoded = "blosc", codec.encode(data)
        elif write == 4:
            blosc.set_nthreads(rng.choice([1, 4]))
            blosc.set_blocksize(rng.choice([0, 512, 8192]))
            cname = rng.choice(CNAMES)
            encoded = blosc.compress(data, rng.choice([1, 2, 8]), rng.randrange(10), rng.choice([0, 1, 2]), cname)
            name = "blosc"
        elif write == 5:
            codec = numcodecs.Zstd(level=rng.choice([-20, -1, 0, 1, 5, 12, 19, 22]), checksum=rng.random() < 0.5)
            name, encoded = "zstd", codec.encode(data)
        elif write == 6:
            parameters = zstandard.ZstdCompressionParameters.from_level(
                rng.choice([-3, 1, 3, 9, 17]),
                window_log=rng.choice([10, 15, 20, 27]),
                write_content_size=rng.choice([0, 1]),
                write_checksum=rng.choice([0, 1]),
            )
            compressor = zstandard.ZstdCompressor(compression_params=parameters)
            encoded = rng.choice([compressor.compress, lambda data: stream(compressor, data)])(data)
            name = "zstd"
        elif write == 7:
            name, encoded = "gzip", numcodecs.GZip(level=rng.randrange(10)).encode(data)
        elif write == 8:
            name, encoded = "lz4", numcodecs.LZ4(acceleration=rng.choice([1, 5, 50])).encode(data or b"a")
            data = data or b"a"
        else:
            name, encoded = "zlib", numcodecs.Zlib(level=rng.randrange(10)).encode(data)
        yield f"random {number}", name, encoded, data


def content(data: bytes) -> str | dict:
    """Decoded bytes: in hexadecimal or, if they repeat themselves, the period and the length."""
    for period in (1, 1024):
        first = data[:period]
        if len(data) > 10_000 and first * (len(data) // period) == data:
            return {"period": first.hex(), "length": len(data)}
    return data.hex()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--random", nargs=2, metavar=("N", "FILE"))
    options = parser.parse_args()
    if options.random:
        chunks, file = randoms(int(options.random[0])), options.random[1]
    else:
        chunks = [*bloscs(), *zstds(), *gzips(), *zlibs(), *lz4s(), *commands(), *arrays()]
        file = Path(__file__).with_name("chunks.json")
    decoded = {}
    lines = []
    for name, codec, encoded, data in chunks:
        index = decoded.setdefault(bytes(data), len(decoded))
        chunk = {"name": name, "codec": codec, "encoded": bytes(encoded).hex(), "decoded": index}
        lines.append(json.dumps(chunk))
    contents = ",\n    ".join(json.dumps(content(data)) for data in decoded)
    text = ",\n    ".join(lines)
    Path(file).write_text(f'{{\n  "decoded": [\n    {contents}\n  ],\n  "chunks": [\n    {text}\n  ]\n}}\n')
    print(f"{len(lines)} chunks, {len(decoded)} contents", file=sys.stderr)


if __name__ == "__main__":
    main()

"""Reads the shard that main.js wrote with zarr-python and tensorstore: the medians of 7 times.

Usage: python peers.py (with the packages of ../../tests/vectors/requirements.txt)
"""

import statistics
import time
from pathlib import Path

import tensorstore
import zarr

FOLDER = Path(__file__).parents[2] / "target/bench/stores"
LENGTH = 8
# The same inner chunks as in arrays.js.
SOME = [(i * 37 + 11) % 64 for i in range(16)]


def open_zarr(path):
    array = zarr.open_array(path, mode="r")
    return lambda selection: array[selection]


def open_tensorstore(path):
    spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": str(path)}}
    array = tensorstore.open(spec, open=True).result()
    return lambda selection: array[selection].read().result()


def milliseconds(work):
    times = []
    for _ in range(7):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return f"{statistics.median(times) * 1000:.3g} ms"


for endian in ("big", "little"):
    for name, open_array in (("zarr-python", open_zarr), ("tensorstore", open_tensorstore)):
        path = FOLDER / f"64-inner-chunks-{endian}-endian-crc32c"

        def whole():
            open_array(path)(...)

        def some():
            read = open_array(path)
            for at in SOME:
                read(slice(at * LENGTH, (at + 1) * LENGTH))

        print(f"{name}, {endian}: whole {milliseconds(whole)}, 16 inner chunks {milliseconds(some)}")

"""Writes the sharded stores that the tests of stores read: a JSON file for each writer.

Usage: python generate.py (with the packages of ../vectors/requirements.txt)

Each file has the writer, every file of its store in base64, and for each array its elements:
in C order, components little endian, in base64 too. They are made from the input, never from
what was written.
"""

import base64
import copy
import json
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import zarr

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "vectors"))

from implementations import REFUSALS, TensorStore, ZarrPython, Zarrs, typed  # noqa: E402

SHAPE = [10, 15]
INNER, SHARD = [2, 3], [4, 9]
LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}
BIG = {"name": "bytes", "configuration": {"endian": "big"}}
CRC32C = {"name": "crc32c"}
GZIP = {"name": "gzip", "configuration": {"level": 5}}
ZSTD = {"name": "zstd", "configuration": {"level": 3, "checksum": True}}
TRANSPOSE = {"name": "transpose", "configuration": {"order": [1, 0]}}


def sharding(codecs, inner=INNER, location="end", index=(LITTLE, CRC32C)) -> dict:
    return {
        "name": "sharding_indexed",
        "configuration": {
            "chunk_shape": inner,
            "codecs": codecs,
            "index_codecs": list(index),
            "index_location": location,
        },
    }


CHECKED = [BIG, CRC32C]
NESTED = [sharding([sharding(CHECKED, location="start")], [4, 6])]
# Codecs, and the members of the metadata that differ from the usual ones.
CASES = {
    "end": ([sharding(CHECKED)], {}),
    "start": ([sharding(CHECKED, location="start")], {}),
    "unchecked": ([sharding([LITTLE], index=[LITTLE])], {}),
    "big-index": ([sharding([LITTLE], location="start", index=[BIG, CRC32C])], {}),
    "zstd": ([sharding([LITTLE, ZSTD])], {}),
    "gzip": ([sharding([BIG, GZIP, CRC32C], location="start")], {}),
    "nested": (NESTED, {"shard": [8, 12]}),
    "nested-gzip": ([sharding([sharding(CHECKED), GZIP], [4, 6])], {"shard": [8, 12]}),
    "transposed-inside": ([sharding([TRANSPOSE, *CHECKED])], {}),
    "transposed-outside": ([TRANSPOSE, sharding(CHECKED, [3, 2])], {}),
    "then-gzip": ([sharding(CHECKED), GZIP], {}),
    "then-crc32c": ([sharding(CHECKED, location="start"), CRC32C], {}),
    "dotted": ([sharding(CHECKED)], {"keys": ("default", ".")}),
    "v2": ([sharding(CHECKED)], {"keys": ("v2", None)}),
    "v2-slashes": ([sharding(CHECKED)], {"keys": ("v2", "/")}),
    "missing": ([sharding(CHECKED)], {"fill_value": 7, "missing": True}),
    "missing-start": (
        [sharding(CHECKED, location="start")],
        {"fill_value": 7, "missing": True},
    ),
    "bool": ([sharding([{"name": "bytes"}, CRC32C])], {"data_type": "bool"}),
    "int64": ([sharding(CHECKED)], {"data_type": "int64"}),
    "float16": ([sharding(CHECKED)], {"data_type": "float16"}),
    "float16-then-gzip": ([sharding(CHECKED), GZIP], {"data_type": "float16"}),
    "complex64": ([sharding(CHECKED)], {"data_type": "complex64"}),
    "complex64-then-gzip": ([sharding(CHECKED), GZIP], {"data_type": "complex64"}),
    "scalar": ([sharding(CHECKED, [])], {"shape": [], "shard": []}),
}


def metadata(codecs: list, options: dict) -> dict:
    data_type = options.get("data_type", "uint16")
    name, separator = options.get("keys", ("default", "/"))
    configuration = {"separator": separator} if separator else {}
    fill = {"bool": False, "complex64": [0, 0]}.get(data_type, 0)
    meta = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": options.get("shape", SHAPE),
        "data_type": data_type,
        "chunk_grid": {
            "name": "regular",
            "configuration": {"chunk_shape": options.get("shard", SHARD)},
        },
        "chunk_key_encoding": {"name": name, "configuration": configuration},
        "codecs": codecs,
        "fill_value": options.get("fill_value", fill),
        "attributes": {},
    }
    return copy.deepcopy(meta)


def elements(meta: dict) -> np.ndarray:
    """Bytes of numbers that all differ, none of them a NaN."""
    data_type, shape = meta["data_type"], meta["shape"]
    numbers = np.arange(1, 1 + np.prod(shape, dtype=int)).reshape(shape)
    if data_type == "bool":
        values = numbers % 3 == 0
    elif data_type == "complex64":
        values = numbers - 1j * numbers / 4
    elif data_type == "uint16":
        values = numbers * 257
    else:
        values = numbers
    little = np.ascontiguousarray(values.astype(np.dtype(data_type).newbyteorder("<")))
    return np.frombuffer(little.tobytes(), "u1").reshape(*shape, little.itemsize)


def write(writer: type, store: Path, meta: dict, missing: bool) -> np.ndarray:
    """Writes an array, or only a part of it. Returns the elements that it then has."""
    store.mkdir()
    (store / "zarr.json").write_text(json.dumps(meta))
    values = elements(meta)
    if missing:
        part = np.full_like(typed(values, meta["data_type"]), meta["fill_value"])
        part[1:3, 4:8] = typed(values, meta["data_type"])[1:3, 4:8]
        values = np.frombuffer(part.tobytes(), "u1").reshape(values.shape)
    writer(store).fill(values)
    return values


def generate(writer: type) -> None:
    described = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        zarr.create_group(folder)
        for name, (codecs, options) in CASES.items():
            if writer is Zarrs and "keys" in options:
                continue  # It gets its keys from ../vectors/grid.py, which has the default ones.
            meta = metadata(codecs, options)
            try:
                values = write(writer, folder / name, meta, options.get("missing", False))
            except (*REFUSALS, RuntimeError, IndexError) as error:
                print(f"{writer.name}: {name} refused: {str(error)[:150]!r}")
                shutil.rmtree(folder / name)
                continue
            described[name] = {
                "dataType": meta["data_type"],
                "shape": meta["shape"],
                "elements": base64.b64encode(values.tobytes()).decode(),
            }
        if writer is ZarrPython:
            zarr.consolidate_metadata(folder)
        files = {
            f"/{path.relative_to(folder)}": base64.b64encode(path.read_bytes()).decode()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
    contents = {
        "writer": f"{writer.name} {writer.version}",
        "arrays": described,
        "files": files,
    }
    (HERE / f"{writer.name}.json").write_text(json.dumps(contents, indent=0) + "\n")


if __name__ == "__main__":
    for writer in (ZarrPython, TensorStore, Zarrs):
        generate(writer)

"""Writes what the tests of clients read and compare with: zarr-python-v2.json and cells.json.

Usage: python generate.py (with the packages of ../vectors/requirements.txt)

zarr-python-v2.json: arrays of Zarr v2 whose compressor is crc32c of numcodecs. Every file of the
store in base64, and for each array its elements: in C order, little endian, in base64 too, made
from the input.
cells.json: what zarr-python reads from www/data/cells.ome.zarr. For each level and channel, the
SHA-256 of the plane z = 1: uint16, in C order, little endian.
"""

import base64
import hashlib
import json
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
import zarr
from numcodecs import CRC32C

HERE = Path(__file__).parent
CELLS = HERE / "../../www/data/cells.ome.zarr"
SHAPE, CHUNKS = (5, 6), (2, 3)
DATA_TYPES = ["|u1", "|i1", "<i2", ">u2", "<i4", ">i4", "<u4", "<f4", ">f4", "<f8", ">f8"]


def little_endian(values: np.ndarray) -> bytes:
    return values.astype(values.dtype.newbyteorder("<")).tobytes()


def write_version_2() -> None:
    arrays = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for order in "CF":
            for data_type in DATA_TYPES:
                name = f"{np.dtype(data_type).name}-{'big' if data_type[0] == '>' else 'little'}-{order}"
                values = (np.arange(30).reshape(SHAPE) * 3 + 1).astype(data_type)
                array = zarr.create_array(
                    folder / name,
                    zarr_format=2,
                    shape=SHAPE,
                    chunks=CHUNKS,
                    dtype=data_type,
                    order=order,
                    compressors=CRC32C(location="end"),
                    fill_value=0,
                )
                array[...] = values
                arrays[name] = {
                    "dtype": data_type,
                    "elements": base64.b64encode(little_endian(values)).decode(),
                }
        files = {
            f"/{path.relative_to(folder)}": base64.b64encode(path.read_bytes()).decode()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
    writer = f"zarr-python {version('zarr')}, numcodecs {version('numcodecs')}"
    contents = {"writer": writer, "shape": SHAPE, "arrays": arrays, "files": files}
    (HERE / "zarr-python-v2.json").write_text(json.dumps(contents, indent=0) + "\n")


def read_cells() -> None:
    planes = {
        level: [
            hashlib.sha256(little_endian(zarr.open_array(CELLS / level, mode="r")[c, 1])).hexdigest()
            for c in range(3)
        ]
        for level in "012"
    }
    contents = {"reader": f"zarr-python {version('zarr')}", "planes": planes}
    (HERE / "cells.json").write_text(json.dumps(contents, indent=1) + "\n")


if __name__ == "__main__":
    write_version_2()
    read_cells()

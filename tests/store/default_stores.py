"""Writes default-stores.json: arrays with the compressors that zarr-python writes by default, or that users choose most.

Usage: python default_stores.py (with the packages of ../vectors/requirements.txt)

The file has every file of a store in base64, and the shape and elements of each array as they went into it: in C order,
little endian, in base64 too.
"""

import base64
import json
import tempfile
from pathlib import Path

import numpy as np
import zarr
from numcodecs import blosc
from zarr.codecs import BloscCodec, BloscCname, ZstdCodec
from zarr.codecs.numcodecs import LZ4, Blosc

SHAPE, CHUNKS, SHARDS = (60, 50), (20, 25), (40, 50)

rows, columns = np.mgrid[: SHAPE[0], : SHAPE[1]]
FIELD = (280 + 20 * np.sin(rows / 7) * np.cos(columns / 9)).astype("float32")
IMAGE = (FIELD * 100 % 4096).astype("uint16")
LABELS = (rows // 9 * 37 + columns // 7).astype("int64")

ARRAYS = {
    "default-field": (FIELD, {}),
    "default-image": (IMAGE, {}),
    "default-labels": (LABELS, {}),
    "default-mask": (FIELD > 280, {}),
    "default-sharded": (FIELD, {"shards": SHARDS}),
    "zstd-checksum": (FIELD, {"compressors": ZstdCodec(level=9, checksum=True)}),
    "blosc-default": (FIELD, {"compressors": BloscCodec()}),
    "blosc-sharded": (LABELS, {"compressors": BloscCodec(), "shards": SHARDS}),
    **{
        f"blosc-{cname.value}": (IMAGE, {"compressors": BloscCodec(cname=cname)})
        for cname in BloscCname
        if cname.value in blosc.list_compressors()
    },
    "numcodecs-blosc": (IMAGE, {"compressors": Blosc(cname="lz4", shuffle=2)}),
    "numcodecs-lz4": (LABELS, {"compressors": LZ4()}),
}


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


described = {}
with tempfile.TemporaryDirectory() as temporary:
    folder = Path(temporary)
    for name, (values, options) in ARRAYS.items():
        zarr.create_array(folder / name, data=values, chunks=CHUNKS, **options)
        described[name] = {
            "dataType": values.dtype.name,
            "elements": text(values.astype(values.dtype.newbyteorder("<")).tobytes()),
        }
    files = {
        f"/{path.relative_to(folder)}": text(path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
contents = {"writer": f"zarr-python {zarr.__version__}", "shape": SHAPE, "arrays": described, "files": files}
(Path(__file__).parent / "default-stores.json").write_text(json.dumps(contents, indent=0) + "\n")

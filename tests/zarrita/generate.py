"""Writes the stores that the tests read through zarrita: zarr-python.json and tensorstore.json.

Usage: python generate.py (with the packages of ../vectors/requirements.txt)

Each file has the writer, every file of its store in base64, and for each array its elements:
in C order, components little endian, in base64 too. They are made from the input, never from
what was written.
"""

import base64
import json
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
import tensorstore
import zarr

HERE = Path(__file__).parent
SHAPE, CHUNKS, SHARDS = [5, 6], [2, 3], [4, 6]
SIMPLE = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64".split()
FLOATS = "float16 float32 float64".split()
COMPLEX = "complex64 complex128".split()


def bytes_codec(endian: str) -> dict:
    return {"name": "bytes", "configuration": {"endian": endian}}


CRC32C = {"name": "crc32c"}
GZIP = {"name": "gzip", "configuration": {"level": 5}}
SHARD = {
    "name": "sharding_indexed",
    "configuration": {
        "chunk_shape": CHUNKS,
        "codecs": [bytes_codec("big"), CRC32C],
        "index_codecs": [bytes_codec("little"), CRC32C],
        "index_location": "end",
    },
}
TRANSPOSE = {"name": "transpose", "configuration": {"order": [1, 0]}}
LAYOUTS = {
    "plain": [bytes_codec("little")],
    "big": [bytes_codec("big")],
    "checksum": [bytes_codec("little"), CRC32C],
    "big-checksum": [bytes_codec("big"), CRC32C],
    "compressed": [bytes_codec("big"), GZIP, CRC32C],
    "transposed": [TRANSPOSE, bytes_codec("big"), CRC32C],
    "sharded": [SHARD],
}
# All layouts for some data types, these for the others.
AT_LENGTH = ["bool", "int16", "float64", "complex64"]
BRIEFLY = ["big-checksum", "sharded"]


def elements(data_type: str) -> np.ndarray:
    """Bytes that look random, always the same; none of them a NaN, which compare badly."""
    noise = np.random.default_rng(1).integers(0, 256, (30, 16), "u1")
    if data_type == "bool":
        return (noise[:, 0] % 2).astype("bool").reshape(SHAPE)
    if data_type.startswith("r"):
        return noise[:, : int(data_type[1:]) // 8].reshape(*SHAPE, -1)
    dtype = np.dtype(data_type)
    if dtype.kind in "iu":
        return noise[:, : dtype.itemsize].copy().view(dtype).reshape(SHAPE)
    reals = (noise[:, :2].astype("f8") - 128) / 8
    if dtype.kind == "c":
        return (reals[:, 0] + 1j * reals[:, 1]).astype(dtype).reshape(SHAPE)
    return reals[:, 0].astype(dtype).reshape(SHAPE)


def metadata(data_type: str, codecs: list, fill_value: object) -> dict:
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": SHAPE,
        "data_type": data_type,
        "chunk_grid": {
            "name": "regular",
            "configuration": {
                "chunk_shape": SHARDS if codecs[0] == SHARD else CHUNKS
            },
        },
        "chunk_key_encoding": {"name": "default"},
        "codecs": codecs,
        "fill_value": fill_value,
        "dimension_names": ["y", "x"],
    }


def arrays(more_types: list[str]):
    """Name, data type, codecs, fill value, and whether most chunks are missing."""
    for data_type in [*SIMPLE, *FLOATS, *COMPLEX, *more_types]:
        fill = False if data_type == "bool" else 0
        fill = [0, 0] if data_type in COMPLEX else fill
        for layout, codecs in LAYOUTS.items():
            if layout not in BRIEFLY and data_type not in AT_LENGTH:
                continue
            yield f"{data_type}-{layout}", data_type, codecs, fill, False
    for data_type in COMPLEX:
        codecs = LAYOUTS["compressed"]
        yield f"{data_type}-missing", data_type, codecs, [1.5, -2], True


def write_zarr_python(folder: Path, name: str, meta: dict, values: np.ndarray, missing: bool):
    sharded = meta["codecs"] == [SHARD]
    codecs = SHARD["configuration"]["codecs"] if sharded else meta["codecs"]
    to_bytes = next(i for i, codec in enumerate(codecs) if codec["name"] == "bytes")
    fill = meta["fill_value"]
    array = zarr.create_array(
        folder / name,
        shape=SHAPE,
        chunks=CHUNKS,
        shards=SHARDS if sharded else None,
        dtype=meta["data_type"],
        filters=codecs[:to_bytes] or None,
        serializer=codecs[to_bytes],
        compressors=codecs[to_bytes + 1 :] or None,
        fill_value=complex(*fill) if isinstance(fill, list) else fill,
        dimension_names=meta["dimension_names"],
        config={"write_empty_chunks": True},
    )
    array[:2, :3] = values[:2, :3]
    if not missing:
        array[...] = values


def write_tensorstore(folder: Path, name: str, meta: dict, values: np.ndarray, missing: bool):
    spec = {
        "driver": "zarr3",
        "kvstore": {"driver": "file", "path": str(folder / name)},
    }
    if meta["data_type"].startswith("r"):
        # tensorstore opens arrays of raw bits, and does not create them.
        size = int(meta["data_type"][1:]) // 8
        meta["fill_value"] = base64.b64encode(bytes(size)).decode()
        values = values.view("V1")
        (folder / name).mkdir()
        (folder / name / "zarr.json").write_text(json.dumps(meta))
        store = tensorstore.open(spec, open=True).result()
    else:
        store = tensorstore.open(spec | {"metadata": meta}, create=True).result()
    part = np.s_[:2, :3] if missing else np.s_[...]
    store[part].write(values[part]).result()


def expected(values: np.ndarray, fill_value: object, missing: bool) -> str:
    if missing:
        filled = np.full_like(values, complex(*fill_value))
        filled[:2, :3] = values[:2, :3]
        values = filled
    little = values.astype(values.dtype.newbyteorder("<")).tobytes()
    return base64.b64encode(little).decode()


def generate(writer: str, write, more_types: list[str]) -> None:
    described = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name, data_type, codecs, fill_value, missing in arrays(more_types):
            values = elements(data_type)
            meta = metadata(data_type, codecs, fill_value)
            write(folder, name, meta, values, missing)
            described[name] = {
                "dataType": data_type,
                "elements": expected(values, fill_value, missing),
            }
        files = {
            f"/{path.relative_to(folder)}": base64.b64encode(path.read_bytes()).decode()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
    contents = {
        "writer": f"{writer} {version('zarr' if writer == 'zarr-python' else writer)}",
        "shape": SHAPE,
        "arrays": described,
        "files": files,
    }
    (HERE / f"{writer}.json").write_text(json.dumps(contents, indent=0) + "\n")


if __name__ == "__main__":
    generate("zarr-python", write_zarr_python, [])
    generate("tensorstore", write_tensorstore, ["r8", "r24"])

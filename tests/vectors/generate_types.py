"""Writes types/<writer>.json: chunks of the data types beyond the core specification.

Usage: python generate_types.py
"""

import json
import random
import tempfile
import warnings
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import ml_dtypes
import numpy as np
import tensorstore
import zarr
from zarr.storage import LocalStore
from zarrs._internal import ChunkItem, CodecPipelineImpl

from small_types import FLOATS, INTEGERS

HERE = Path(__file__).parent
LENGTH = 37

warnings.filterwarnings("ignore")

TENSORSTORE = {
    *("int2", "int4", "bfloat16", "float4_e2m1fn", "float8_e3m4", "float8_e4m3fn"),
    *("float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"),
    "float8_e8m0fnu",
}
ZARRS = {*FLOATS, *INTEGERS, "bfloat16"} - {"float8_e4m3fn"}
COMPLEX = {*FLOATS, "bfloat16", "float16", "float32", "float64"} - {"float8_e4m3fn"}
SIZES = {"bfloat16": 2, "float16": 2, "float32": 4, "float64": 8, "int64": 8}


def codes_of(name: str, count: int) -> np.ndarray:
    """Random bits of components, in little-endian order, none of which is NaN: its payload depends on the reader."""
    size = SIZES.get(name, 1)
    bits = {**FLOATS, **INTEGERS}.get(name, 8)
    noise = np.frombuffer(random.Random(name).randbytes(count * size), "u1").copy()
    noise &= (1 << bits) - 1
    codes = noise.view(f"<u{size}")
    if name not in INTEGERS and name != "int64":
        codes[np.isnan(codes.view(numpy_type(name)))] = 0
    return codes


def numpy_type(name: str) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, name, name))


def decoded(name: str, codes: np.ndarray) -> bytes:
    """The components of the array that they decode to by default."""
    if name in INTEGERS:
        return codes.view(numpy_type(name)).astype("i1").tobytes()
    if name in FLOATS or name == "bfloat16":
        return codes.view(numpy_type(name)).astype("<f4").tobytes()
    return codes.tobytes()


def metadata_of(data_type: object, fill_value: object, codecs: list) -> dict:
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": [LENGTH],
        "data_type": data_type,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [LENGTH]}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": fill_value,
        "codecs": codecs,
    }


def chains(name: str, size: int) -> Iterator[tuple[str, list]]:
    for endian in ["little", "big"] if size > 1 else [None]:
        configuration = {"configuration": {"endian": endian}} if endian else {}
        codecs = [{"name": "bytes", **configuration}]
        label = "-".join(filter(None, [name, endian]))
        yield label, codecs
        yield f"{label}-crc32c", [*codecs, {"name": "crc32c"}]


def vector(name: str, store: Path, decoded: bytes, **more: object) -> dict:
    metadata = json.loads((store / "zarr.json").read_text())
    chunk = {"key": "c/0", "encoded": (store / "c/0").read_bytes().hex(), "decoded": decoded.hex(), **more}
    return {"name": name, "metadata": metadata, "chunks": [chunk]}


def tensorstore_vectors(folder: Path) -> Iterator[dict]:
    for name in sorted(TENSORSTORE):
        codes = codes_of(name, LENGTH)
        for label, codecs in chains(name, codes.itemsize):
            store = folder / label
            spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": str(store)}}
            fill = 1 if name in INTEGERS else 1.0
            metadata = metadata_of(name, fill, codecs)
            array = tensorstore.open(spec | {"metadata": metadata}, create=True).result()
            array.write(codes.view(numpy_type(name))).result()
            yield vector(label, store, decoded(name, codes))


def zarrs_vectors(folder: Path) -> Iterator[dict]:
    for name in sorted(ZARRS):
        yield from zarrs_type(folder, name, name, codes_of(name, LENGTH), 1)
    for name in sorted(COMPLEX):
        codes = codes_of(name, 2 * LENGTH)
        yield from zarrs_type(folder, f"complex_{name}", name, codes, 2)
    time = {"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 10}}
    codes = codes_of("int64", LENGTH)
    for label, codecs in chains("datetime64", 8):
        metadata = metadata_of(time, "NaT", codecs)
        yield zarrs_chunk(folder, label, metadata, codes.tobytes(), codes.tobytes())


def zarrs_type(folder: Path, data_type: str, name: str, codes: np.ndarray, components: int) -> Iterator[dict]:
    digits = "0x" + "0" * 2 * codes.itemsize
    fill = 0 if name in INTEGERS else digits if components == 1 else [digits] * components
    for label, codecs in chains(data_type, codes.itemsize):
        metadata = metadata_of(data_type, fill, codecs)
        yield zarrs_chunk(folder, label, metadata, codes.tobytes(), decoded(name, codes))


def zarrs_chunk(folder: Path, label: str, metadata: dict, elements: bytes, decoded: bytes) -> dict:
    store = folder / label
    store.mkdir()
    (store / "zarr.json").write_text(json.dumps(metadata))
    codecs = CodecPipelineImpl(
        json.dumps(metadata), store_config=LocalStore(store), validate_checksums=True
    )
    part = [slice(0, LENGTH, 1)]
    item = ChunkItem(key="c/0", chunk_subset=part, chunk_shape=[LENGTH], subset=part, shape=[LENGTH])
    # It copies the bytes of elements of the right size, whatever their type.
    size = len(elements) // LENGTH
    array = np.frombuffer(elements, {16: "<c16"}.get(size, f"<u{size}"))
    codecs.store_chunks_with_indices([item], array, write_empty_chunks=True)
    return vector(label, store, decoded)


def times() -> np.ndarray:
    values = codes_of("int64", LENGTH).view("<i8")
    values[:4] = [np.iinfo("i8").min, -1, 0, np.iinfo("i8").max]
    return values


WORDS = ["", "a", "Zürich", "日本語", "😀 emoji", "in\0side", "ends with 12"]


def zarr_python_arrays() -> Iterator[tuple[str, np.ndarray]]:
    yield "datetime64-ns", times().view("<M8[ns]")
    yield "datetime64-10s", times().view("<M8[10s]")
    yield "timedelta64-D", times().view("<m8[D]")
    yield "utf32", np.resize(np.array(WORDS, "<U12"), LENGTH)
    noise = random.Random("bytes").randbytes(5 * LENGTH)
    yield "null-terminated", np.frombuffer(noise, "S5")
    yield "raw-bytes", np.frombuffer(noise, "V5")
    record = np.dtype([("id", "<i4"), ("flag", "i1"), ("value", "<f8"), ("wave", "<c8")])
    noise = random.Random("struct").randbytes(record.itemsize * LENGTH)
    yield "struct", np.frombuffer(noise, record)
    inner = np.dtype([("x", "<f4"), ("y", "<u2")])
    nested = np.dtype([("tag", "<U3"), ("point", inner), ("at", "<M8[ms]"), ("last", "u1")])
    records = np.zeros(LENGTH, nested)
    records["tag"] = np.resize(np.array(["ab", "", "xyz", "é"]), LENGTH)
    records["point"]["x"] = np.arange(LENGTH) / 4
    records["point"]["y"] = np.arange(LENGTH) * 1000
    records["at"] = times().view("<M8[ms]")
    records["last"] = np.arange(LENGTH) + 200
    yield "struct-nested", records
    single = np.frombuffer(noise[: 2 * LENGTH], [("a", "u1"), ("b", "i1")])
    yield "struct-single-bytes", single


def fields(array: np.ndarray, path: tuple[str, ...] = ()) -> Iterator[dict]:
    """What the fields hold, those inside others too."""
    for name in array.dtype.names or ():
        field, inner = array[name], (*path, name)
        yield {"path": inner, "decoded": field.tobytes().hex(), **strings(field)}
        yield from fields(field, inner)


def strings(array: np.ndarray) -> dict:
    return {"strings": array.tolist()} if array.dtype.kind == "U" else {}


def zarr_python_vectors(folder: Path) -> Iterator[dict]:
    for name, elements in zarr_python_arrays():
        for endian in ["little", "big"]:
            # It keeps no byte order with single bytes, and ignored that of records before 3.3.
            is_record = elements.dtype.names is not None
            ignores = is_record and int(version("zarr").split(".")[1]) < 3
            is_single = elements.dtype.kind in "SV" and not is_record or name == "struct-single-bytes"
            if endian == "big" and (ignores or is_single):
                continue
            label = f"{name}-{endian}"
            store = folder / label
            array = zarr.create_array(
                store=LocalStore(store),
                shape=[LENGTH],
                chunks=[LENGTH],
                dtype=elements.dtype,
                serializer=zarr.codecs.BytesCodec(endian=endian),
                compressors=[zarr.codecs.Crc32cCodec()],
                filters=[],
            )
            array[...] = elements
            views = {"fields": list(fields(elements))} if is_record else {}
            yield vector(label, store, elements.tobytes(), **views, **strings(elements))


WRITERS = {
    "zarr": zarr_python_vectors,
    "tensorstore": tensorstore_vectors,
    "zarrs": zarrs_vectors,
}


def main() -> None:
    is_new = int(version("zarr").split(".")[1]) >= 3
    # A newer zarr-python has another name for records; the others have not changed.
    for package, vectors in WRITERS.items():
        if is_new and package != "zarr":
            continue
        with tempfile.TemporaryDirectory() as folder:
            arrays = list(vectors(Path(folder)))
        name = "zarr-python" if package == "zarr" else package
        lines = ",\n".join(json.dumps(array) for array in arrays)
        text = f'{{"writer": "{name} {version(package)}", "arrays": [\n{lines}\n]}}\n'
        file = f"{name}-{version(package)}" if is_new else name
        (HERE / f"types/{file}.json").write_text(text)
        print(file, len(arrays), "arrays")


if __name__ == "__main__":
    main()

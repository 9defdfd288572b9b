"""Three other implementations of Zarr, each behind the same few methods.

Opening a store (the constructor) looks at its metadata only and raises one of REFUSALS
where the implementation does not support it; `fill` writes the whole array and `read`
returns it.

An array is held as `elements`: a uint8 array whose last axis runs over the bytes of one
element, with little-endian components. No value passes through arithmetic, so NaN
payloads stay as they are, and raw bits need no special case.
"""

import base64
import json
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np
import tensorstore
import zarr
from grid import chunk_indices, chunk_region, chunk_shape, edges, padded_shape
from zarr.errors import UnknownCodecError, ZarrUserWarning
from zarr.storage import LocalStore
from zarrs._internal import ChunkItem, CodecPipelineImpl

# That codecs named numcodecs.* are not in the specification.
warnings.filterwarnings("ignore", category=ZarrUserWarning)

# zarr-python 3.2 and later read and write these only if told so.
zarr.config.set({"array.rectilinear_chunks": True})

# What the constructors below raise for metadata they do not support.
REFUSALS = (TypeError, ValueError, UnknownCodecError)


def numpy_type(data_type: str) -> np.dtype:
    if data_type.startswith("r"):
        return np.dtype(f"V{int(data_type[1:]) // 8}")
    return np.dtype(data_type).newbyteorder("<")


def typed(elements: np.ndarray, data_type: str) -> np.ndarray:
    return elements.view(numpy_type(data_type)).reshape(elements.shape[:-1])


def untyped(array: np.ndarray) -> np.ndarray:
    little = array.astype(array.dtype.newbyteorder("<"))
    return np.frombuffer(little.tobytes(), "u1").reshape(*array.shape, array.itemsize)


def load_metadata(store: Path) -> dict:
    return json.loads((store / "zarr.json").read_text())


def zarr_python_chunks(metadata: dict) -> list:
    """What zarr-python takes as `chunks` for this grid."""
    if metadata["chunk_grid"]["name"] == "rectilinear":
        return edges(metadata)
    return metadata["chunk_grid"]["configuration"]["chunk_shape"]


class ZarrPython:
    name = "zarr-python"
    version = zarr.__version__

    @staticmethod
    def create(store: Path, metadata: dict) -> None:
        names = [codec["name"] for codec in metadata["codecs"]]
        serializer = names.index("bytes")
        fill_value = metadata["fill_value"]
        zarr.create_array(
            store,
            shape=metadata["shape"],
            chunks=zarr_python_chunks(metadata),
            dtype=metadata["data_type"],
            fill_value=complex(*fill_value)
            if isinstance(fill_value, list)
            else fill_value,
            filters=metadata["codecs"][:serializer] or None,
            serializer=metadata["codecs"][serializer],
            compressors=metadata["codecs"][serializer + 1 :] or None,
        )

    def __init__(self, store: Path):
        metadata = load_metadata(store)
        # zarr-python itself notices that only when it reads a compressed chunk.
        if "snappy" in json.dumps(metadata["codecs"]):
            raise ValueError("numcodecs is built without snappy")
        self.data_type = metadata["data_type"]
        self.array = zarr.open_array(store)

    def fill(self, elements: np.ndarray) -> None:
        self.array[...] = typed(elements, self.data_type)

    def read(self) -> np.ndarray:
        return untyped(np.asarray(self.array[...]))


class TensorStore:
    name = "tensorstore"
    version = version("tensorstore")

    @staticmethod
    def raw_fill_value(element: bytes) -> str:
        # Not the specification's array of integers, which tensorstore refuses.
        return base64.b64encode(element).decode()

    @staticmethod
    def spec(store: Path) -> dict:
        return {
            "driver": "zarr3",
            "kvstore": {"driver": "file", "path": str(store)},
        }

    @classmethod
    def create(cls, store: Path, metadata: dict) -> None:
        spec = cls.spec(store) | {"metadata": metadata}
        tensorstore.open(spec, create=True).result()

    def __init__(self, store: Path):
        self.store = tensorstore.open(self.spec(store), open=True).result()
        self.data_type = load_metadata(store)["data_type"]
        # Raw bits are an array of bytes with one more axis, as `elements` is.
        self.raw = self.data_type.startswith("r")

    def fill(self, elements: np.ndarray) -> None:
        array = elements.view("V1") if self.raw else typed(elements, self.data_type)
        self.store.write(array).result()

    def read(self) -> np.ndarray:
        if not self.raw:
            return untyped(self.store.read().result())
        # What `read` returns for bytes has items of size 0: bring memory to read into.
        elements = np.empty(self.store.shape, "u1")
        tensorstore.array(elements.view("V1")).write(self.store).result()
        return elements


class Zarrs:
    """zarrs as its codec pipeline for zarr-python calls it.

    That pipeline leaves the metadata to zarr-python and hands the chunks to
    `CodecPipelineImpl`. Calling the latter ourselves rules out its fallback to the codecs
    of zarr-python, and gives access to what only zarrs supports: raw bits as the
    specification writes them, the alias `endian`, short-hand names.
    """

    name = "zarrs"
    version = version("zarrs")
    create = staticmethod(ZarrPython.create)
    raw_fill_value = staticmethod(list)

    def __init__(self, store: Path):
        self.metadata = load_metadata(store)
        self.codecs = CodecPipelineImpl(
            json.dumps(self.metadata),
            store_config=LocalStore(store),
            validate_checksums=True,
        )

    def items(self, metadata: dict) -> list[ChunkItem]:
        return [self.item(metadata, key) for key in chunk_indices(metadata)]

    def item(self, metadata: dict, key: str) -> ChunkItem:
        region = chunk_region(metadata, key)
        return ChunkItem(
            key=key,
            chunk_subset=[slice(0, part.stop - part.start, 1) for part in region],
            chunk_shape=chunk_shape(metadata, key),
            subset=list(region),
            shape=metadata["shape"],
        )

    def fill(self, elements: np.ndarray) -> None:
        array = typed(elements, self.metadata["data_type"])
        self.codecs.store_chunks_with_indices(
            self.items(self.metadata), array, write_empty_chunks=False
        )

    def read(self) -> np.ndarray:
        # Whole chunks, then cut: zarrs 0.23 reads a part of a big-endian chunk by swapping
        # whole elements, which is wrong for complex numbers and raw bits.
        shape = padded_shape(self.metadata)
        array = np.empty(shape, numpy_type(self.metadata["data_type"]))
        self.codecs.retrieve_chunks_and_apply_index(
            self.items(self.metadata | {"shape": shape}), array
        )
        return untyped(array)[tuple(map(slice, self.metadata["shape"]))]


IMPLEMENTATIONS = (ZarrPython, TensorStore, Zarrs)

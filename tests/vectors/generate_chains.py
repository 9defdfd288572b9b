"""Writes the vectors of chains with transposed orders, compressors and checksums.

Usage: python generate_chains.py
"""

import gzip
import tempfile
import types
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import tensorstore
import xarray
import zarr
from chain_cases import order_and_checksum_cases, reshape_cases
from chain_elements import make_elements
from compressor_cases import (
    blosc_cases,
    frames_without_content_size,
    gzip_cases,
    numcodecs_cases,
    snappy_cases,
    zlib_cases,
    zstd_cases,
)
from generate import Case, check, lines, vector, write_store
from implementations import (
    IMPLEMENTATIONS,
    TensorStore,
    ZarrPython,
    Zarrs,
    load_metadata,
    typed,
)

HERE = Path(__file__).parent / "chains"

# Fixes the modification time in the gzip headers that Python writes.
gzip.time = types.SimpleNamespace(time=lambda: 1_800_000_000)


def cases(writer: type) -> Iterator[Case]:
    yield from order_and_checksum_cases()
    yield from blosc_cases()
    yield from zstd_cases()
    yield from gzip_cases()
    # numcodecs, and with it zarr-python, is built without snappy.
    if writer is not ZarrPython:
        yield from snappy_cases()
    if writer is not TensorStore:
        yield from zlib_cases()
    if writer is ZarrPython:
        yield from numcodecs_cases()
    if writer is TensorStore:
        yield from frames_without_content_size()
    if writer is Zarrs:
        yield from reshape_cases()


DEFAULT_SHAPE = [9, 11]


def create_by_default(writer: type, store: Path, data_type: str) -> None:
    """Creates an array with default codecs."""
    if writer is TensorStore:
        dtype = tensorstore.dtype(data_type)
        spec = TensorStore.spec(store)
        tensorstore.open(spec, create=True, dtype=dtype, shape=DEFAULT_SHAPE).result()
    else:
        zarr.create_array(store, shape=DEFAULT_SHAPE, dtype=data_type)


def default_cases(writer: type, folder: Path) -> Iterator[tuple[Case, Path]]:
    """Arrays with the default codecs of their writer."""
    for data_type in ("bool", "uint8", "int16", "float32", "float64", "complex64"):
        store = folder / writer.name / f"default-{data_type}"
        create_by_default(writer, store, data_type)
        elements = make_elements(data_type, DEFAULT_SHAPE, "mixed")
        writer(store).fill(elements)
        yield Case(store.name, load_metadata(store), elements), store
    if writer is ZarrPython:
        yield from xarray_cases(folder)


def xarray_cases(folder: Path) -> Iterator[tuple[Case, Path]]:
    group = folder / "xarray"
    elements = {
        "float32": make_elements("float32", DEFAULT_SHAPE, "smooth"),
        "int16": make_elements("int16", DEFAULT_SHAPE, "mixed"),
    }
    variables = {
        name: (("y", "x"), typed(part, name)) for name, part in elements.items()
    }
    x = np.arange(11, dtype="int64") * 5
    xarray.Dataset(variables, {"x": x}).to_zarr(
        group, zarr_format=3, consolidated=False
    )
    elements["x"] = x.view("u1").reshape(11, 8)
    for name, part in elements.items():
        yield (
            Case(f"default-xarray-{name}", load_metadata(group / name), part),
            group / name,
        )


def vectors(writer: type, folder: Path) -> list[dict]:
    written = []
    for case in cases(writer):
        store = folder / writer.name / case.name
        write_store(writer, case, store)
        written.append((case, store))
    written += default_cases(writer, folder)
    alone = [case.name for case, store in written if not check(case, store, writer)]
    print(f"{writer.name} {writer.version}: {len(written)} arrays")
    if alone:
        print("  read back by their writer only:", *alone)
    return [vector(case, store) for case, store in written]


def is_deterministic(codecs: list[dict]) -> bool:
    """Compressors may differ between the writers; all else must not."""
    return {codec["name"] for codec in codecs} <= {"transpose", "bytes", "crc32c"}


def check_agreement(arrays_by_writer: dict[str, list[dict]]) -> None:
    """Writers given the same elements and codecs must have written the same bytes."""
    seen = {}
    for writer, arrays in arrays_by_writer.items():
        for array in arrays:
            codecs = array["metadata"]["codecs"]
            if not is_deterministic(codecs):
                continue
            encoded = [chunk["encoded"] for chunk in array["chunks"]]
            first = seen.setdefault((array["name"], str(codecs)), (writer, encoded))
            if encoded != first[1]:
                raise AssertionError(f"{first[0]}, {writer} differ in {array['name']}")


def main() -> None:
    HERE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        arrays = {writer: vectors(writer, Path(folder)) for writer in IMPLEMENTATIONS}
    check_agreement({writer.name: found for writer, found in arrays.items()})
    for writer, found in arrays.items():
        (HERE / f"{writer.name}.json").write_text("\n".join(lines(writer, found)))


if __name__ == "__main__":
    main()

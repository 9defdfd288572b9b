"""Writes the vectors: chunks by real writers, beside the elements that went into them.

Usage: python generate.py
"""

import json
import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from grid import chunk_indices, chunk_region, chunk_shape
from implementations import (
    IMPLEMENTATIONS,
    REFUSALS,
    TensorStore,
    ZarrPython,
    Zarrs,
    load_metadata,
    numpy_type,
)

HERE = Path(__file__).parent

SINGLE_BYTE = ["bool", "int8", "uint8"]
INTEGERS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (16, 32, 64)]
MULTI_BYTE = [*INTEGERS, "float16", "float32", "float64", "complex64", "complex128"]
RAW = ["r8", "r16", "r24", "r64", "r128"]

# Not zero, so that the padding of an edge chunk shows. No chunk may consist of these:
# a writer would leave out its file.
FILL_VALUES = {"b": True, "i": 42, "u": 42, "f": 1.5, "c": [1.5, -2.5]}

EXPONENT_BITS = {2: 5, 4: 8, 8: 11}

# Of the 3-d array's twelve chunks: a whole one and one cut on all three axes.
KEPT_3D = ["c/0/0/0", "c/2/1/1"]


@dataclass
class Case:
    name: str
    metadata: dict
    elements: np.ndarray
    # Whether the writer is given this metadata, as it would not create it by itself.
    given: bool = False
    # The chunks to keep; by default all.
    keys: list[str] | None = None


def element_size(data_type: str) -> int:
    return numpy_type(data_type).itemsize


def fill_element(data_type: str) -> bytes:
    kind = numpy_type(data_type).kind
    if kind == "V":
        return bytes(range(0xA0, 0xA0 + element_size(data_type)))
    fill = FILL_VALUES[kind]
    return np.array(
        complex(*fill) if kind == "c" else fill, numpy_type(data_type)
    ).tobytes()


def float_patterns(size: int) -> list[int]:
    """The bits of every kind of float, each with both signs, the NaNs first."""
    exponent_bits = EXPONENT_BITS[size]
    mantissa_bits = 8 * size - 1 - exponent_bits
    infinity = ((1 << exponent_bits) - 1) << mantissa_bits
    quiet = 1 << (mantissa_bits - 1)
    one = ((1 << (exponent_bits - 1)) - 1) << mantissa_bits
    smallest_normal = 1 << mantissa_bits
    positive = [
        infinity | (quiet >> 1) | 3,  # signalling NaN, with a payload
        infinity | 1,  # signalling NaN
        infinity | quiet | 0x15,  # quiet NaN, with a payload
        infinity | quiet,
        infinity,
        infinity - 1,  # largest finite
        one,
        smallest_normal,
        smallest_normal - 1,  # largest subnormal
        1,  # smallest subnormal
        0,
    ]
    negative = 1 << (8 * size - 1)
    return [pattern | sign for pattern in positive for sign in (negative, 0)]


def integer_patterns(size: int) -> list[int]:
    """Each byte another one, then the limits of integers and their neighbours."""
    ordered = int.from_bytes(range(1, size + 1), "big")
    limit, sign = (1 << 8 * size) - 1, 1 << (8 * size - 1)
    return [ordered, 0, 1, sign - 1, sign, sign + 1, limit - 1, limit]


def special_bytes(data_type: str) -> bytes:
    item = numpy_type(data_type)
    if item.kind == "b":
        return bytes([0, 1])
    if item.kind == "V":
        return b""
    size = item.itemsize // (2 if item.kind == "c" else 1)
    patterns = integer_patterns(size) if item.kind in "iu" else float_patterns(size)
    return b"".join(pattern.to_bytes(size, "little") for pattern in patterns)


def make_elements(data_type: str, shape: list[int]) -> np.ndarray:
    """Special values, then seeded random bits, as many as the shape takes."""
    size = element_size(data_type)
    length = size * int(np.prod(shape, dtype=int))
    noise = random.Random(f"{data_type} {shape}").randbytes(length)
    if data_type == "bool":
        noise = bytes(byte & 1 for byte in noise)
    # The 3-d array is noise only: there the positions matter.
    special = special_bytes(data_type) if len(shape) < 3 else b""
    return np.frombuffer((special + noise)[:length], "u1").reshape(*shape, size)


def shapes(data_type: str) -> dict[str, tuple[list[int], list[int]]]:
    """Array and chunk shapes by name."""
    # Some 100 bytes: longer than any SIMD register, and never a multiple of one.
    chunk = 96 // element_size(data_type) + 1
    return {
        "0d": ([], []),
        "1d": ([2 * chunk - 2], [chunk]),
        "3d": ([5, 3, 4], [2, 2, 3]),
    }


def make_case(
    data_type: str,
    rank: str,
    codecs: list,
    label: str,
    given: bool = False,
    fill_value: object = None,
) -> Case:
    shape, chunk = shapes(data_type)[rank]
    if fill_value is None:
        fill_value = FILL_VALUES[numpy_type(data_type).kind]
    metadata = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": data_type,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": fill_value,
        "codecs": codecs,
    }
    name = "-".join(filter(None, [data_type, label, rank]))
    keys = KEPT_3D if rank == "3d" else None
    return Case(name, metadata, make_elements(data_type, shape), given, keys)


def codec_chain(endian: str | None, checksums: int) -> tuple[list, str]:
    configuration = {"configuration": {"endian": endian}} if endian else {}
    codecs = [{"name": "bytes", **configuration}, *[{"name": "crc32c"}] * checksums]
    return codecs, "-".join([*([endian] if endian else []), *["crc32c"] * checksums])


def common_cases() -> Iterator[Case]:
    """What every writer creates, and the `endian` that none keeps for a single byte."""
    for data_type in SINGLE_BYTE + MULTI_BYTE:
        for endian in [None] if data_type in SINGLE_BYTE else ["little", "big"]:
            for checksums in (0, 1):
                for rank in ("0d", "1d", "3d") if checksums else ("1d", "3d"):
                    yield make_case(data_type, rank, *codec_chain(endian, checksums))
    for data_type in SINGLE_BYTE:
        for endian in ("little", "big"):
            yield make_case(data_type, "1d", *codec_chain(endian, 1), given=True)
    yield make_case("uint8", "1d", *codec_chain(None, 2))
    yield make_case("float32", "1d", *codec_chain("big", 2))
    yield make_case("complex128", "3d", *codec_chain("little", 2))


def raw_cases(writer: type[TensorStore | Zarrs]) -> Iterator[Case]:
    for data_type in RAW:
        fill_value = writer.raw_fill_value(fill_element(data_type))
        for endian, checksums, rank in [
            (None, 0, "1d"),
            (None, 1, "0d"),
            (None, 1, "3d"),
            ("little", 0, "3d"),
            ("big", 1, "1d"),
        ]:
            chain = codec_chain(endian, checksums)
            yield make_case(data_type, rank, *chain, given=True, fill_value=fill_value)


def zarrs_cases() -> Iterator[Case]:
    """Spellings of the codecs that only zarrs understands."""
    crc32c = {"name": "crc32c"}
    for data_type in ("int16", "float64", "complex64"):
        for endian in ("little", "big"):
            alias = {"name": "endian", "configuration": {"endian": endian}}
            codecs = [alias, crc32c]
            yield make_case(
                data_type, "1d", codecs, f"alias-{endian}-crc32c", given=True
            )
    yield make_case("uint8", "1d", ["bytes", "crc32c"], "short-hand", given=True)
    big = codec_chain("big", 0)[0]
    yield make_case("uint16", "1d", [*big, "crc32c"], "big-short-hand", given=True)
    ignorable = {"name": "example.ignorable", "must_understand": False}
    codecs = [*big, ignorable, crc32c]
    yield make_case("int32", "1d", codecs, "big-ignorable-crc32c", given=True)


def cases(writer: type) -> Iterator[Case]:
    yield from common_cases()
    if writer is not ZarrPython:
        yield from raw_cases(writer)
    if writer is Zarrs:
        yield from zarrs_cases()


def write_store(writer: type, case: Case, store: Path) -> None:
    if case.given:
        store.mkdir()
        (store / "zarr.json").write_text(json.dumps(case.metadata))
    else:
        writer.create(store, case.metadata)
    writer(store).fill(case.elements)


def check(case: Case, store: Path, writer: type) -> bool:
    """Reads the store with all implementations; says if any but the writer could."""
    readers = []
    for reader in IMPLEMENTATIONS:
        try:
            array = reader(store)
        except REFUSALS:
            continue
        if not np.array_equal(array.read(), case.elements):
            raise AssertionError(
                f"{reader.name} read {case.name} of {writer.name} differently"
            )
        readers.append(reader)
    if writer not in readers:
        raise AssertionError(f"{writer.name} does not read its own {case.name}")
    return len(readers) > 1


def decoded(case: Case, key: str) -> bytes:
    """The chunk's elements as they went in, the fill value beyond the array's edges."""
    data_type = case.metadata["data_type"]
    chunk = np.empty([*chunk_shape(case.metadata, key), element_size(data_type)], "u1")
    chunk[...] = np.frombuffer(fill_element(data_type), "u1")
    region = chunk_region(case.metadata, key)
    inside = tuple(slice(part.stop - part.start) for part in region)
    chunk[inside] = case.elements[region]
    return chunk.tobytes()


def vector(case: Case, store: Path) -> dict:
    return {
        "name": case.name,
        "metadata": load_metadata(store),
        "chunks": [
            {
                "key": key,
                "encoded": (store / key).read_bytes().hex(),
                "decoded": decoded(case, key).hex(),
            }
            for key in case.keys or chunk_indices(case.metadata)
        ],
    }


def vectors(writer: type, folder: Path) -> list[dict]:
    arrays, alone = [], []
    for case in cases(writer):
        store = folder / writer.name / case.name
        write_store(writer, case, store)
        if not check(case, store, writer):
            alone.append(case.name)
        arrays.append(vector(case, store))
    print(f"{writer.name} {writer.version}: {len(arrays)} arrays")
    if alone:
        print("  read back by their writer only:", *alone)
    return arrays


def check_agreement(arrays_by_writer: dict[str, list[dict]]) -> None:
    """Writers given the same elements and codecs must have written the same bytes."""
    seen = {}
    for writer, arrays in arrays_by_writer.items():
        for array in arrays:
            first, chunks = seen.setdefault(array["name"], (writer, array["chunks"]))
            if chunks != array["chunks"]:
                raise AssertionError(f"{first} and {writer} differ in {array['name']}")


def lines(writer: type, arrays: list[dict]) -> Iterator[str]:
    """One chunk to a line, so that a difference is readable."""
    yield f'{{"writer": {json.dumps(f"{writer.name} {writer.version}")}, "arrays": ['
    for array in arrays:
        chunks = ",\n".join(f"  {json.dumps(chunk)}" for chunk in array["chunks"])
        head = json.dumps({"name": array["name"], "metadata": array["metadata"]})
        comma = "," if array is not arrays[-1] else ""
        yield f'{head[:-1]}, "chunks": [\n{chunks}\n]}}{comma}'
    yield "]}\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        arrays = {writer: vectors(writer, Path(folder)) for writer in IMPLEMENTATIONS}
    check_agreement({writer.name: found for writer, found in arrays.items()})
    for writer, found in arrays.items():
        (HERE / f"{writer.name}.json").write_text("\n".join(lines(writer, found)))


if __name__ == "__main__":
    main()

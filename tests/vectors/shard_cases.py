"""The arrays of the shards' vectors."""

import itertools
from collections.abc import Iterator

import numpy as np
from chain_cases import CRC32C, codec, metadata_of, serializer, transpose
from chain_elements import make_elements
from generate import FILL_VALUES, MULTI_BYTE, SINGLE_BYTE, Case, numpy_type

ZSTD = codec("zstd", level=3, checksum=False)
GZIP = codec("gzip", level=5)
BLOSC = codec(
    "blosc", typesize=2, cname="lz4", clevel=5, shuffle="shuffle", blocksize=0
)
INDEX = [codec("bytes", endian="little"), CRC32C]


def sharding(
    inner: list[int],
    codecs: list[dict],
    location: str | None = None,
    index_codecs: list[dict] = INDEX,
) -> dict:
    configuration = {
        "chunk_shape": inner,
        "codecs": codecs,
        "index_codecs": index_codecs,
    }
    if location:
        configuration["index_location"] = location
    return codec("sharding_indexed", **configuration)


def element_of(fill_value: object, data_type: str) -> np.ndarray:
    """The bytes of one element with this value in JSON."""
    item = numpy_type(data_type)
    if isinstance(fill_value, str) and fill_value.startswith("0x"):
        return np.frombuffer(bytes.fromhex(fill_value[2:])[::-1], "u1")
    value = (
        complex(*map(float, fill_value)) if isinstance(fill_value, list) else fill_value
    )
    return np.frombuffer(np.array(value, item).tobytes(), "u1")


def shard(
    name: str,
    data_type: str,
    shape: list[int],
    shard_shape: list[int],
    codecs: list[dict],
    missing: tuple[tuple[slice, ...], ...] = (),
    fill_value: object = None,
    flavour: str = "mixed",
    keys: list[str] | None = None,
) -> Case:
    """An array of shards, where the regions `missing` contain the fill value only."""
    metadata = metadata_of(data_type, shape, shard_shape, codecs)
    if fill_value is None:
        fill_value = FILL_VALUES[numpy_type(data_type).kind]
    metadata["fill_value"] = fill_value
    elements = make_elements(data_type, shape, flavour).copy()
    for region in missing:
        elements[region] = element_of(fill_value, data_type)
    return Case(name, metadata, elements, True, keys)


FIRST_OF_2D = (slice(0, 2), slice(0, 3))


def indexes() -> Iterator[Case]:
    """Every place, endian and checksum of an index, with an inner chunk missing."""
    places = itertools.product(("end", "start"), ("little", "big"), (True, False))
    for location, endian, has_checksum in places:
        index = [codec("bytes", endian=endian), *[CRC32C] * has_checksum]
        name = "-".join(["index", location, endian, *["crc32c"] * has_checksum])
        codecs = [sharding([2, 2, 3], [serializer("uint16")], location, index)]
        missing = (slice(0, 2), slice(2, 4), slice(0, 3))
        shape = [4, 4, 6]
        yield shard(name, "uint16", shape, shape, codecs, (missing,))
    twice = [*INDEX, CRC32C]
    codecs = [sharding([2, 3], [serializer("uint8")], "end", twice)]
    yield shard("index-crc32c-twice", "uint8", [4, 6], [4, 6], codecs)
    codecs = [sharding([2, 3], [serializer("uint8")])]
    yield shard("index-no-location", "uint8", [4, 6], [4, 6], codecs)


def data_types() -> Iterator[Case]:
    for i, data_type in enumerate(SINGLE_BYTE + MULTI_BYTE):
        inner = [serializer(data_type, ["little", "big"][i % 2]), *[CRC32C] * (i % 3)]
        codecs = [sharding([2, 3], inner, ["end", "start"][i % 2])]
        name = f"type-{data_type}"
        yield shard(name, data_type, [4, 6], [4, 6], codecs, (FIRST_OF_2D,))


def fill_values() -> Iterator[Case]:
    """Fill values of missing inner chunks that are no plain numbers."""
    for name, data_type, fill_value in [
        ("nan", "float32", "NaN"),
        ("infinity", "float64", "-Infinity"),
        ("hexadecimal", "float32", "0x7fc00123"),
        ("hexadecimal-double", "float64", "0xfff8000000000456"),
        ("half-nan", "float16", "NaN"),
        ("complex", "complex64", ["NaN", 0.5]),
        ("false", "bool", False),
        ("least", "int64", -(2**53)),
    ]:
        codecs = [sharding([2, 3], [serializer(data_type, "big"), CRC32C])]
        arguments = ([4, 6], [4, 6], codecs, (FIRST_OF_2D,), fill_value)
        yield shard(f"fill-{name}", data_type, *arguments)


def nested() -> Iterator[Case]:
    le = serializer("uint16")
    two = sharding([2, 2], [le, CRC32C], "start")
    three = sharding([4, 4], [sharding([2, 2], [le], "end")], "start")
    transposed = sharding([2, 2], [transpose(1, 0), serializer("uint16", "big")], "end")
    first = (slice(0, 4), slice(0, 4))
    inside = (slice(4, 6), slice(6, 8))
    for name, codecs in [
        ("two", [sharding([4, 4], [two])]),
        ("two-checksum", [sharding([4, 4], [two, CRC32C], "start")]),
        ("three", [sharding([8, 4], [three], "end")]),
        ("transposed", [sharding([4, 4], [transpose(1, 0), transposed])]),
        ("gzip", [sharding([4, 4], [sharding([2, 2], [le, GZIP])])]),
    ]:
        yield shard(
            f"nested-{name}", "uint16", [8, 8], [8, 8], codecs, (first, inside)
        )


def surrounded() -> Iterator[Case]:
    """Codecs before, inside and after the shards."""
    le, be = serializer("uint16"), serializer("uint16", "big")
    inner = [2, 4, 3]
    shape = [4, 8, 6]
    missing = ((slice(0, 2), slice(0, 4), slice(3, 6)),)
    for name, codecs in [
        ("inside", [sharding(inner, [transpose(2, 0, 1), be])]),
        ("outside", [transpose(2, 0, 1), sharding([3, 2, 4], [le])]),
        ("both", [transpose(1, 2, 0), sharding([4, 3, 2], [transpose(1, 0, 2), be])]),
    ]:
        yield shard(f"transposed-{name}", "uint16", shape, shape, codecs, missing)
    # zarr-python compares inner chunks with the shape before the transpose.
    codecs = [transpose(2, 0, 1), sharding([2, 3, 6], [be, CRC32C])]
    cube = [6, 6, 6]
    yield shard("transposed-cube", "uint16", cube, cube, codecs)
    for name, codecs in [
        ("gzip", [sharding(inner, [le, GZIP])]),
        ("zstd", [sharding(inner, [le, ZSTD], "start")]),
        ("blosc", [sharding(inner, [le, BLOSC])]),
        ("gzip-crc32c", [sharding(inner, [be, GZIP, CRC32C])]),
        ("crc32c-zstd", [sharding(inner, [be, CRC32C, ZSTD])]),
    ]:
        yield shard(f"compressed-{name}", "uint16", shape, shape, codecs, missing)
    for name, after in [("crc32c", [CRC32C]), ("gzip-crc32c", [GZIP, CRC32C])]:
        codecs = [sharding(inner, [le]), *after]
        yield shard(f"before-{name}", "uint16", shape, shape, codecs, missing)


def grids() -> Iterator[Case]:
    le = serializer("int32")
    codecs = [sharding([2, 3], [le, CRC32C])]
    keys = ["c/0/0", "c/1/1"]
    yield shard("edges", "int32", [7, 10], [4, 6], codecs, keys=keys)
    first = (slice(0, 4), slice(0, 6))
    yield shard("edges-missing", "int32", [7, 10], [4, 6], codecs, (first,), keys=["c/1/1"])
    yield shard("1d", "int32", [12], [12], [sharding([4], [le])])
    yield shard("one", "int32", [4, 6], [4, 6], [sharding([4, 6], [le])])
    yield shard("columns", "int32", [4, 6], [4, 6], [sharding([4, 1], [le])])
    yield shard("elements", "int32", [3, 3], [3, 3], [sharding([1, 1], [le])])
    four = [sharding([1, 2, 1, 3], [le])]
    yield shard("4d", "int32", [2, 4, 2, 6], [2, 4, 2, 6], four)
    sparse = (slice(None), slice(3, None))
    yield shard("sparse", "int32", [8, 12], [8, 12], codecs, (sparse,))


def shard_cases() -> Iterator[Case]:
    """What every writer can write."""
    yield from indexes()
    yield from data_types()
    yield from fill_values()
    yield from nested()
    yield from surrounded()
    yield from grids()

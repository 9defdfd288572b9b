"""The arrays of the chains' vectors: orders of dimensions, and checksums at every place.

Those of the compressors are in `compressor_cases.py`.
"""

import itertools
from collections.abc import Iterator

from chain_elements import in_rows, make_elements
from generate import FILL_VALUES, SINGLE_BYTE, Case, element_size, numpy_type

CRC32C = {"name": "crc32c"}


def codec(name: str, **configuration: object) -> dict:
    return {"name": name, "configuration": configuration}


def transpose(*order: int) -> dict:
    return codec("transpose", order=list(order))


def serializer(data_type: str, endian: str = "little") -> dict:
    """The `bytes` codec as every writer writes it, without `endian` for a single byte."""
    if data_type in SINGLE_BYTE:
        return {"name": "bytes"}
    return codec("bytes", endian=endian)


def metadata_of(
    data_type: str, shape: list[int], chunk: list[int], codecs: list
) -> dict:
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": data_type,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": FILL_VALUES[numpy_type(data_type).kind],
        "codecs": codecs,
    }


def single(
    name: str,
    data_type: str,
    chunk: list[int],
    codecs: list,
    flavour: str = "mixed",
    given: bool = False,
) -> Case:
    """An array of one chunk."""
    metadata = metadata_of(data_type, chunk, chunk, codecs)
    return Case(name, metadata, make_elements(data_type, chunk, flavour), given)


def cut(name: str, data_type: str, chunk: list[int], codecs: list) -> Case:
    """An array whose last chunk is cut on every axis, of which the first and last are kept."""
    shape = [2 * length - 1 for length in chunk]
    keys = ["/".join(["c", *[digit] * len(chunk)]) for digit in "01"]
    metadata = metadata_of(data_type, shape, chunk, codecs)
    return Case(name, metadata, make_elements(data_type, shape, "mixed"), False, keys)


def row(
    name: str,
    data_type: str,
    codecs: list,
    chunk_bytes: int = 256,
    flavours: tuple[str, ...] = ("constant", "mixed", "noise"),
    given: bool = False,
) -> Case:
    """A 1-d array with a chunk of each flavour, the last of which is cut."""
    chunk = chunk_bytes // element_size(data_type)
    elements = in_rows(data_type, chunk, flavours)[:-2]
    metadata = metadata_of(data_type, [len(elements)], [chunk], codecs)
    return Case(name, metadata, elements, given)


# Data types of 1, 2, 4, 8, 8 (of two components) and 16 bytes.
TRANSPOSED = {
    "uint8": [5, 7, 11],
    "int16": [4, 5, 7],
    "float32": [3, 4, 7],
    "float64": [2, 4, 5],
    "complex64": [2, 3, 7],
    "complex128": [2, 3, 4],
}


def three_dimensions() -> Iterator[Case]:
    """Every order of three dimensions; `crc32c` with each endian of every data type."""
    orders = list(itertools.permutations(range(3)))
    for data_type, chunk in TRANSPOSED.items():
        endians = [None] if data_type in SINGLE_BYTE else ["little", "big"]
        for (i, order), endian in itertools.product(enumerate(orders), endians):
            has_checksum = (i + (endian == "big")) % 2 == 1
            checksums = [CRC32C] * has_checksum
            parts = ["transpose", "".join(map(str, order)), data_type, endian]
            name = "-".join([*filter(None, parts), *["crc32c"] * has_checksum])
            codecs = [transpose(*order), serializer(data_type, endian), *checksums]
            yield single(name, data_type, chunk, codecs)


def other_ranks() -> Iterator[Case]:
    bytes_le, bytes_be = serializer("float32"), serializer("float32", "big")
    byte, int16_be = serializer("uint8"), serializer("int16", "big")
    for name, data_type, chunk, codecs in [
        ("1d", "float32", [20], [transpose(0), bytes_be]),
        ("2d-identity", "float32", [7, 9], [transpose(0, 1), bytes_le]),
        ("2d-uint8", "uint8", [17, 33], [transpose(1, 0), byte, CRC32C]),
        ("2d-bool", "bool", [16, 16], [transpose(1, 0), byte]),
        ("2d-int16", "int16", [16, 17], [transpose(1, 0), int16_be, CRC32C]),
        ("2d-float32", "float32", [8, 12], [transpose(1, 0), bytes_le, CRC32C]),
        ("2d-float32-big", "float32", [9, 13], [transpose(1, 0), bytes_be]),
        ("2d-thin", "float32", [1, 40], [transpose(1, 0), bytes_be, CRC32C]),
        ("4d-3210", "int16", [3, 2, 4, 5], [transpose(3, 2, 1, 0), int16_be]),
        ("4d-1302", "uint8", [3, 4, 5, 6], [transpose(1, 3, 0, 2), byte, CRC32C]),
        ("4d-0213", "float32", [2, 3, 4, 5], [transpose(0, 2, 1, 3), bytes_le]),
        ("4d-2013", "float32", [2, 3, 4, 4], [transpose(2, 0, 1, 3), bytes_be]),
    ]:
        yield single(f"transpose-{name}", data_type, chunk, codecs)


def several_transposes() -> Iterator[Case]:
    little, big = serializer("float32"), serializer("float32", "big")
    shape = [3, 4, 5]
    for name, orders, rest in [
        ("120-102", [(1, 2, 0), (1, 0, 2)], [big, CRC32C]),
        ("201-021", [(2, 0, 1), (0, 2, 1)], [little]),
        ("120-201-inverse", [(1, 2, 0), (2, 0, 1)], [big]),
        ("210-102-021", [(2, 1, 0), (1, 0, 2), (0, 2, 1)], [little, CRC32C]),
    ]:
        codecs = [*[transpose(*order) for order in orders], *rest]
        yield single(f"transposes-{name}", "float32", shape, codecs)


def transposed_and_compressed() -> Iterator[Case]:
    """Orders before compressors, in arrays whose last chunk is cut."""
    zstd = codec("zstd", level=3, checksum=False)
    blosc = codec(
        "blosc", typesize=4, cname="lz4", clevel=5, shuffle="shuffle", blocksize=0
    )
    gzip = codec("gzip", level=5)
    float32, float64 = serializer("float32", "big"), serializer("float64")
    shape = [3, 4, 5]
    for name, data_type, order, rest in [
        ("zstd", "float32", (2, 1, 0), [float32, zstd]),
        ("crc32c-zstd", "float64", (1, 2, 0), [float64, CRC32C, zstd]),
        ("zstd-crc32c", "float32", (0, 2, 1), [float32, zstd, CRC32C]),
        ("blosc", "float32", (2, 1, 0), [float32, blosc]),
        ("blosc-crc32c", "float32", (2, 0, 1), [float32, blosc, CRC32C]),
        ("gzip", "float64", (1, 0, 2), [float64, gzip]),
        ("crc32c-gzip-crc32c", "float32", (1, 0, 2), [float32, CRC32C, gzip, CRC32C]),
    ]:
        codecs = [transpose(*order), *rest]
        digits = "".join(map(str, order))
        yield cut(f"transpose-{digits}-{name}", data_type, shape, codecs)


def checksums_everywhere() -> Iterator[Case]:
    """`crc32c` before, after and between the codecs of others."""
    zstd = codec("zstd", level=1, checksum=False)
    gzip = codec("gzip", level=1)
    blosc = codec(
        "blosc", typesize=2, cname="zstd", clevel=5, shuffle="bitshuffle", blocksize=0
    )
    chains = {
        "crc32c-zstd": [CRC32C, zstd],
        "zstd-crc32c": [zstd, CRC32C],
        "crc32c-zstd-crc32c": [CRC32C, zstd, CRC32C],
        "zstd-crc32c-crc32c": [zstd, CRC32C, CRC32C],
        "crc32c-gzip-crc32c-crc32c": [CRC32C, gzip, CRC32C, CRC32C],
        "crc32c-crc32c-gzip": [CRC32C, CRC32C, gzip],
        "gzip-crc32c": [gzip, CRC32C],
        "crc32c-blosc": [CRC32C, blosc],
        "blosc-crc32c": [blosc, CRC32C],
        "crc32c-blosc-crc32c": [CRC32C, blosc, CRC32C],
        "gzip-zstd": [gzip, zstd],
        "zstd-crc32c-gzip": [zstd, CRC32C, gzip],
        "crc32c-blosc-crc32c-zstd-crc32c": [CRC32C, blosc, CRC32C, zstd, CRC32C],
    }
    for name, codecs in chains.items():
        codecs = [serializer("uint16", "big"), *codecs]
        yield row(f"places-{name}", "uint16", codecs, 240)


def reshape_cases() -> Iterator[Case]:
    """Only zarrs knows `reshape`."""
    big, little = serializer("float32", "big"), serializer("float32")
    zstd = codec("zstd", level=3, checksum=True)
    for name, shape, codecs in [
        ("merged", [[0, 1], [2]], [big]),
        ("flat", [-1], [little, CRC32C]),
        ("split", [2, -1, [2]], [big, CRC32C]),
        ("numbers", [2, 2, 4, 5], [big]),
        ("number", [[0], 20], [little]),
        ("automatic", [5, -1], [big, zstd]),
    ]:
        chain = [codec("reshape", shape=shape), *codecs]
        yield single(f"reshape-{name}", "float32", [4, 4, 5], chain, given=True)


def rectilinear_cases() -> Iterator[Case]:
    """Chunks of several lengths, of which one is cut at the array's edge."""
    grid = {
        "name": "rectilinear",
        "configuration": {
            "kind": "inline",
            "chunk_shapes": [[2, 5, 3], [[4, 2], 7]],
        },
    }
    zstd = codec("zstd", level=3, checksum=False)
    big = serializer("int16", "big")
    for name, data_type, codecs, shape in [
        ("plain", "float32", [serializer("float32", "big"), CRC32C], [10, 15]),
        ("transpose", "int16", [transpose(1, 0), big, CRC32C], [10, 15]),
        ("zstd", "float32", [transpose(1, 0), serializer("float32"), zstd], [10, 15]),
        ("cut", "int16", [transpose(1, 0), big, zstd], [9, 14]),
    ]:
        metadata = metadata_of(data_type, shape, [], codecs) | {"chunk_grid": grid}
        elements = make_elements(data_type, shape, "mixed")
        keys = ["c/0/0", "c/1/1", "c/1/2", "c/2/2"]
        # zarr-python creates no array that is shorter than its chunks.
        given = name == "cut"
        yield Case(f"rectilinear-{name}", metadata, elements, given, keys)


def order_and_checksum_cases() -> Iterator[Case]:
    """What every writer can write."""
    yield from three_dimensions()
    yield from other_ranks()
    yield from several_transposes()
    yield from transposed_and_compressed()
    yield from checksums_everywhere()

"""The arrays of the chains' vectors for single compressors and numcodecs' codecs."""

import itertools
from collections.abc import Iterator

from chain_cases import CRC32C, codec, cut, row, serializer, single, transpose
from generate import Case, element_size

SHUFFLES = ["noshuffle", "shuffle", "bitshuffle"]
INNER_CODECS = ["lz4", "lz4hc", "blosclz", "zlib", "zstd"]
BY_SIZE = ["uint8", "uint16", "float32", "float64"]


def blosc(**configuration: object) -> dict:
    defaults = {
        "typesize": 4,
        "cname": "lz4",
        "clevel": 5,
        "shuffle": "shuffle",
        "blocksize": 0,
    }
    return codec("blosc", **defaults | configuration)


def blosc_cases() -> Iterator[Case]:
    """Every inner codec with every shuffle and type size, in one block; then the rest."""
    for cname, shuffle, data_type in itertools.product(INNER_CODECS, SHUFFLES, BY_SIZE):
        size = element_size(data_type)
        compressor = blosc(cname=cname, shuffle=shuffle, typesize=size)
        # Except for float64 no multiple of 8 elements, so bitshuffle has a remainder.
        chunk = [248 // size + 1]
        codecs = [serializer(data_type), compressor]
        name = f"blosc-{cname}-{shuffle}-{data_type}"
        yield single(name, data_type, chunk, codecs, "steps")
    for cname in INNER_CODECS:
        yield blosc_blocks(cname, "shuffle", "float32", 1400)
    yield from blosc_settings()


def blosc_blocks(cname: str, shuffle: str, data_type: str, length: int) -> Case:
    """Several blocks, of which the last is shorter.

    For the faster inner codecs blosc multiplies the block size with the type size and
    splits each block into a stream for each byte of the elements.
    """
    size = element_size(data_type)
    settings = {"shuffle": shuffle, "typesize": size, "blocksize": 128}
    codecs = [serializer(data_type, "big"), blosc(cname=cname, **settings)]
    name = f"blosc-{cname}-blocks-{shuffle}-{data_type}"
    return single(name, data_type, [length // size], codecs, "steps")


def snappy_cases() -> Iterator[Case]:
    """In several blocks: blosc uses snappy only if much room is left behind a stream."""
    for shuffle, data_type in itertools.product(SHUFFLES, BY_SIZE[:3]):
        yield blosc_blocks("snappy", shuffle, data_type, 300 * element_size(data_type))


def blosc_settings() -> Iterator[Case]:
    """Settings that are independent of the inner codec."""
    little = serializer("float32")
    yield row("blosc-incompressible", "float32", [little, blosc()])
    yield row("blosc-clevel-0", "float32", [little, blosc(clevel=0)], 160)
    yield row("blosc-clevel-9", "float32", [little, blosc(clevel=9)], 160)
    for name, data_type, chunk, settings in [
        ("split", "float32", [160], {}),
        ("split-blosclz", "uint16", [280], {"cname": "blosclz", "typesize": 2}),
        ("split-blocks", "uint16", [560], {"typesize": 2, "blocksize": 256}),
        ("split-8", "float64", [140], {"typesize": 8}),
        ("small-blocks", "uint16", [301], {"typesize": 2, "blocksize": 128}),
        ("long-block", "uint16", [301], {"typesize": 2, "blocksize": 65536}),
        ("typesize-3", "uint8", [301], {"typesize": 3}),
        ("typesize-16", "complex128", [30], {"typesize": 16}),
        ("typesize-wrong", "float64", [40], {"typesize": 4}),
        ("tiny", "uint8", [16], {"typesize": 1, "shuffle": "noshuffle"}),
        ("one", "uint8", [1], {"typesize": 1, "shuffle": "bitshuffle"}),
    ]:
        codecs = [serializer(data_type), blosc(**settings)]
        flavour = "mixed" if data_type == "complex128" else "steps"
        yield single(f"blosc-{name}", data_type, chunk, codecs, flavour)


def numcodecs_blosc_cases() -> Iterator[Case]:
    """Only zarr-python writes this name. `shuffle` is a number, -1 meaning automatic."""
    for cname, shuffle, data_type in [
        ("lz4", 1, "float32"),
        ("zstd", 2, "uint16"),
        ("blosclz", 0, "uint8"),
        ("zlib", -1, "float64"),
    ]:
        settings = {"cname": cname, "clevel": 5, "shuffle": shuffle, "blocksize": 0}
        typesize = {"typesize": element_size(data_type)}
        for name, more in {"": {}, "-typesize": typesize}.items():
            compressor = codec("numcodecs.blosc", **settings, **more)
            yield single(
                f"numcodecs-blosc-{cname}{name}",
                data_type,
                [300 // element_size(data_type)],
                [serializer(data_type), compressor],
            )


def zstd_cases() -> Iterator[Case]:
    for level, checksum in itertools.product([-5, 0, 1, 3, 9, 19], [False, True]):
        compressor = codec("zstd", level=level, checksum=checksum)
        name = f"zstd-{level}" + "-checksum" * checksum
        yield row(name, "int16", [serializer("int16"), compressor])
    one = codec("zstd", level=3, checksum=True)
    yield single("zstd-one", "uint8", [1], [serializer("uint8"), one])


def frames_without_content_size() -> Iterator[Case]:
    """tensorstore omits the content size if it is unknown when the frame begins.

    That is so after another compressor whose output exceeds 4096 bytes, such as gzip
    with level 0.
    """
    gzip = codec("gzip", level=0)
    for checksum in (False, True):
        zstd = codec("zstd", level=3, checksum=checksum)
        name = "zstd-no-content-size" + "-checksum" * checksum
        yield single(name, "uint8", [4200], [serializer("uint8"), gzip, zstd], "smooth")


def gzip_cases() -> Iterator[Case]:
    for level in (0, 1, 5, 9):
        compressor = codec("gzip", level=level)
        yield row(f"gzip-{level}", "int32", [serializer("int32", "big"), compressor])
    yield single(
        "gzip-one", "uint8", [1], [serializer("uint8"), codec("gzip", level=6)]
    )


def zlib_cases() -> Iterator[Case]:
    """zarr-python and zarrs write these."""
    for level in (0, 1, 6, 9):
        compressor = codec("numcodecs.zlib", level=level)
        name = f"numcodecs-zlib-{level}"
        yield row(name, "int32", [serializer("int32"), compressor])
    yield row(
        "numcodecs-zlib-crc32c",
        "int32",
        [serializer("int32"), CRC32C, codec("numcodecs.zlib", level=6), CRC32C],
    )
    for data_type in ("uint8", "uint16", "float32", "float64", "complex128"):
        size = element_size(data_type)
        shuffle = codec("numcodecs.shuffle", elementsize=size)
        zlib = codec("numcodecs.zlib", level=4)
        codecs = [serializer(data_type), shuffle]
        chunk = 176 // size
        yield single(f"numcodecs-shuffle-{data_type}", data_type, [chunk], codecs)
        # As a virtual netCDF store has them.
        name = f"numcodecs-shuffle-zlib-{data_type}"
        yield row(name, data_type, [*codecs, zlib], 176, ("mixed", "noise"))
    big = serializer("float32", "big")
    shuffle = codec("numcodecs.shuffle", elementsize=4)
    yield single("numcodecs-shuffle-crc32c", "float32", [77], [big, shuffle, CRC32C])
    codecs = [transpose(2, 0, 1), big, shuffle, codec("numcodecs.zlib", level=9)]
    yield cut("numcodecs-shuffle-zlib-transpose", "float32", [3, 4, 5], codecs)


def numcodecs_cases() -> Iterator[Case]:
    """Only zarr-python writes these names."""
    yield from numcodecs_blosc_cases()
    little = serializer("int32")
    for level in (1, 9):
        gzip = codec("numcodecs.gzip", level=level)
        yield row(f"numcodecs-gzip-{level}", "int32", [little, gzip])
    for checksum in (False, True):
        zstd = codec("numcodecs.zstd", level=3, checksum=checksum)
        name = "numcodecs-zstd" + "-checksum" * checksum
        yield row(name, "int32", [little, zstd])
    yield row(
        "numcodecs-zstd-level", "int32", [little, codec("numcodecs.zstd", level=1)]
    )
    for name in ("crc32c", "crc32", "adler32"):
        for configuration in ({}, {"location": "start"}, {"location": "end"}):
            label = "-".join(["numcodecs", name, *configuration.values()])
            checksum = codec(f"numcodecs.{name}", **configuration)
            codecs = [serializer("uint16", "big"), checksum]
            yield single(label, "uint16", [75], codecs)
    yield from fletcher32_cases()


def fletcher32_cases() -> Iterator[Case]:
    """As HDF5 has them: after the compressor, over an odd number of bytes too."""
    fletcher32 = codec("numcodecs.fletcher32")
    shuffle = codec("numcodecs.shuffle", elementsize=4)
    zlib = codec("numcodecs.zlib", level=4)
    for name, data_type, chunk, codecs in [
        ("even", "uint16", [75], [fletcher32]),
        ("odd", "uint8", [151], [fletcher32]),
        ("one", "uint8", [1], [fletcher32]),
        ("long", "uint8", [800], [fletcher32]),
        ("shuffle-zlib", "float32", [60], [shuffle, zlib, fletcher32]),
        ("zlib", "float32", [61], [fletcher32, zlib]),
    ]:
        codecs = [serializer(data_type), *codecs]
        yield single(f"numcodecs-fletcher32-{name}", data_type, chunk, codecs)
    adler32 = codec("numcodecs.adler32", location="start")
    crc32 = codec("numcodecs.crc32", location="end")
    zstd = codec("zstd", level=3, checksum=False)
    codecs = [serializer("float32"), adler32, zstd, crc32, CRC32C]
    yield single("numcodecs-adler32-zstd-crc32-crc32c", "float32", [60], codecs)

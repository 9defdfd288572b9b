"""Describes damaged chunks: for each format every damage that it can reveal.

Usage: python damage.py (after generate_chains.py)

The class of the error follows from what the bytes contradict:

- themselves, or the format: ExternalCodecError
- the length that the chain expects, stated or decoded: ChunkLengthError
- a checksum: ChecksumMismatchError
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from damaged_frames import blosc, gzip, is_memcpyed, is_raw, zlib, zstd
from damages import Damage, append, flip_in_byte, truncate

HERE = Path(__file__).parent / "chains"


@dataclass
class Chunk:
    """Where a chunk is found, and its bytes."""

    file: str
    array: str
    key: str

    @property
    def encoded(self) -> bytes:
        arrays = json.loads((HERE / self.file).read_text())["arrays"]
        array = next(array for array in arrays if array["name"] == self.array)
        chunk = next(chunk for chunk in array["chunks"] if chunk["key"] == self.key)
        return bytes.fromhex(chunk["encoded"])

    def describe(self, damages: Iterable[Damage]) -> dict:
        # In a short chunk two damages may be the same.
        distinct = {str(each.damage): each for each in damages}
        place = {"file": self.file, "array": self.array, "chunk": self.key}
        return place | {"damages": list(map(vars, distinct.values()))}


ZARR_PYTHON, TENSORSTORE, ZARRS = "zarr-python.json", "tensorstore.json", "zarrs.json"

# The last codec of each of these arrays is of the format.
FORMATS = {
    blosc: [
        (ZARR_PYTHON, "blosc-lz4-shuffle-float32", "c/0"),
        (ZARR_PYTHON, "blosc-lz4-blocks-shuffle-float32", "c/0"),
        (ZARR_PYTHON, "blosc-split", "c/0"),
        (ZARR_PYTHON, "blosc-zstd-bitshuffle-uint16", "c/0"),
        (ZARR_PYTHON, "blosc-incompressible", "c/2"),
        (ZARR_PYTHON, "blosc-one", "c/0"),
        (ZARR_PYTHON, "numcodecs-blosc-zlib", "c/0"),
        (TENSORSTORE, "blosc-snappy-blocks-shuffle-float32", "c/0"),
        (TENSORSTORE, "transpose-210-blosc", "c/0/0/0"),
        (ZARRS, "blosc-blosclz-shuffle-uint16", "c/0"),
    ],
    zstd: [
        (ZARR_PYTHON, "zstd-3", "c/1"),
        (ZARR_PYTHON, "zstd-3-checksum", "c/0"),
        (ZARR_PYTHON, "zstd-3-checksum", "c/1"),
        (ZARR_PYTHON, "zstd-3-checksum", "c/2"),
        (ZARR_PYTHON, "numcodecs-zstd-checksum", "c/1"),
        (ZARR_PYTHON, "default-float32", "c/0/0"),
        (TENSORSTORE, "zstd-no-content-size", "c/0"),
        (TENSORSTORE, "zstd-no-content-size-checksum", "c/0"),
        (ZARRS, "zstd-19-checksum", "c/1"),
        (ZARRS, "places-crc32c-zstd", "c/1"),
    ],
    gzip: [
        (ZARR_PYTHON, "gzip-0", "c/1"),
        (ZARR_PYTHON, "gzip-9", "c/1"),
        (ZARR_PYTHON, "numcodecs-gzip-1", "c/2"),
        (TENSORSTORE, "gzip-0", "c/2"),
        (TENSORSTORE, "gzip-1", "c/1"),
        (ZARRS, "gzip-5", "c/1"),
        (ZARRS, "places-crc32c-crc32c-gzip", "c/1"),
    ],
    zlib: [
        (ZARR_PYTHON, "numcodecs-zlib-0", "c/1"),
        (ZARR_PYTHON, "numcodecs-zlib-9", "c/1"),
        (ZARRS, "numcodecs-zlib-1", "c/1"),
        (ZARRS, "numcodecs-shuffle-zlib-float32", "c/0"),
    ],
}

# The last codec is one of our checksums, over a payload of any length.
BEHIND_COMPRESSORS = [
    (ZARR_PYTHON, "places-zstd-crc32c", "c/1"),
    (TENSORSTORE, "places-crc32c-gzip-crc32c-crc32c", "c/1"),
    (ZARRS, "places-blosc-crc32c", "c/1"),
    (ZARR_PYTHON, "transpose-021-zstd-crc32c", "c/1/1/1"),
    (ZARR_PYTHON, "numcodecs-fletcher32-shuffle-zlib", "c/0"),
    (ZARR_PYTHON, "numcodecs-adler32-zstd-crc32-crc32c", "c/0"),
]

# Chunks of a known encoded length with one of our checksums, and its offset.
FIXED = {
    "transpose-102-int16-big-crc32c": ("c/0/0/0", -4),
    "transposes-120-102": ("c/0/0/0", -4),
    "numcodecs-shuffle-crc32c": ("c/0", -4),
    "numcodecs-crc32c": ("c/0", -4),
    "numcodecs-crc32c-start": ("c/0", 0),
    "numcodecs-crc32": ("c/0", 0),
    "numcodecs-crc32-end": ("c/0", -4),
    "numcodecs-adler32": ("c/0", 0),
    "numcodecs-adler32-end": ("c/0", -4),
    "numcodecs-fletcher32-even": ("c/0", -4),
    "numcodecs-fletcher32-odd": ("c/0", -4),
}

# Incompressible chunks, stored as they are and covered only by the checksum before the
# compressor.
BEFORE_COMPRESSORS = [
    (ZARR_PYTHON, "places-crc32c-zstd", "c/2", "zstd"),
    (ZARR_PYTHON, "places-crc32c-blosc", "c/2", "blosc"),
]

# Sound chunks of other arrays, which decode to other lengths.
OTHERS = [
    (ZARR_PYTHON, "blosc-lz4-shuffle-float32", "c/0", "blosc-split"),
    (ZARR_PYTHON, "zstd-3", "c/0", "places-crc32c-zstd"),
    (ZARR_PYTHON, "numcodecs-zlib-6", "c/0", "numcodecs-shuffle-zlib-uint8"),
    (ZARR_PYTHON, "numcodecs-shuffle-zlib-uint8", "c/0", "numcodecs-zlib-6"),
    (ZARRS, "gzip-5", "c/0", "places-crc32c-crc32c-gzip"),
]

MISMATCH, LENGTH = "ChecksumMismatchError", "ChunkLengthError"


def behind_compressors(encoded: bytes) -> Iterator[Damage]:
    """The length is unknown, so a truncated chunk has a wrong checksum."""
    end = len(encoded)
    for position in (0, 1, 4, 12, end // 2, end - 5, end - 4, end - 1):
        change = flip_in_byte(position, position % 8)
        yield Damage(f"bit in byte {position}", MISMATCH, change)
    yield Damage("last byte missing", MISMATCH, truncate(end - 1))
    yield Damage("a byte more", MISMATCH, append(b"\0"))
    yield Damage("shorter than a checksum", LENGTH, truncate(3))
    yield Damage("empty", LENGTH, truncate(0))


def fixed(encoded: bytes, stored: int) -> Iterator[Damage]:
    end = len(encoded)
    stored %= end
    for i in range(4):
        change = flip_in_byte(stored + i, 2 * i)
        yield Damage(f"stored checksum, byte {i}", MISMATCH, change)
    first = 4 if stored == 0 else 0
    for position in (first, end // 2, first + end - 5):
        change = flip_in_byte(position, position % 8)
        yield Damage(f"payload, byte {position}", MISMATCH, change)
    for length in (0, 3, end - 1):
        yield Damage(f"only {length} bytes", LENGTH, truncate(length))
    yield Damage("a byte more", LENGTH, append(b"\0"))


def before_compressors(encoded: bytes, name: str) -> Iterator[Damage]:
    """Flips in the payload of a chunk that the compressor stored uncompressed."""
    assert is_raw(encoded) if name == "zstd" else is_memcpyed(encoded)
    for position in range(32, len(encoded), 97):
        change = flip_in_byte(position, position % 8)
        yield Damage(f"{name}, payload, byte {position}", MISMATCH, change)


def describe_all() -> Iterator[dict]:
    for damages, places in FORMATS.items():
        for chunk in (Chunk(*place) for place in places):
            yield chunk.describe(damages(chunk.encoded))
    for chunk in (Chunk(*place) for place in BEHIND_COMPRESSORS):
        yield chunk.describe(behind_compressors(chunk.encoded))
    for array, (key, stored) in FIXED.items():
        chunk = Chunk(ZARR_PYTHON, array, key)
        yield chunk.describe(fixed(chunk.encoded, stored))
    for *place, name in BEFORE_COMPRESSORS:
        chunk = Chunk(*place)
        yield chunk.describe(before_compressors(chunk.encoded, name))
    for *place, array in OTHERS:
        change = {"kind": "substitute", "array": array, "chunk": "c/0"}
        damage = Damage("a chunk of another length", LENGTH, change)
        yield Chunk(*place).describe([damage])


def lines(described: list[dict]) -> Iterator[str]:
    """One damage to a line."""
    for chunk in described:
        damages = ",\n".join(f"  {json.dumps(damage)}" for damage in chunk["damages"])
        head = json.dumps({key: chunk[key] for key in ("file", "array", "chunk")})
        comma = "," if chunk is not described[-1] else ""
        yield f'{head[:-1]}, "damages": [\n{damages}\n]}}{comma}'


def main() -> None:
    described = list(describe_all())
    text = "\n".join(["[", *lines(described), "]", ""])
    (HERE / "damaged.json").write_text(text)
    count = sum(len(chunk["damages"]) for chunk in described)
    print(f"{count} damages of {len(described)} chunks")


if __name__ == "__main__":
    main()

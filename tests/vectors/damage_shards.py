"""Describes damaged shards: every damage that an index can reveal, and flipped bits.

Usage: python damage_shards.py (after generate_shards.py)

The class of the error follows from what the bytes contradict:

- a checksum: ChecksumMismatchError
- the length that the chain expects: ChunkLengthError
- the rest of the shard, or other entries: InvalidElementError
"""

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from damage import lines
from damages import append, flip_in_byte, replace, truncate

HERE = Path(__file__).parent / "shards"

MISMATCH, LENGTH, ENTRY = (
    "ChecksumMismatchError",
    "ChunkLengthError",
    "InvalidElementError",
)

MISSING = 2**64 - 1

# Of the arrays index-*: 2 x 2 x 2 inner chunks of 24 bytes, of which one is missing.
GRID = (2, 2, 2)
CHUNK = 24
ABSENT = 2


@dataclass
class Damage:
    what: str
    expected: str
    damage: dict
    # The coordinates of the inner chunk that the error names.
    inner: list[int] | None = None


def coordinates(index: int) -> list[int]:
    return [index // 4, index // 2 % 2, index % 2]


class Index:
    """The index of an encoded shard of an array index-*."""

    def __init__(self, encoded: bytes, name: str):
        self.encoded = encoded
        self.order = ">" if "big" in name else "<"
        self.at_start = "start" in name
        self.checksums = name.count("crc32c")
        self.length = 8 * 16 + 4 * self.checksums
        self.offset = 0 if self.at_start else len(encoded) - self.length

    def entry(self, chunk: int) -> tuple[int, int]:
        return struct.unpack_from(f"{self.order}2Q", self.encoded, self.offset + 16 * chunk)

    def with_entry(self, chunk: int, offset: int, length: int) -> dict:
        entry = struct.pack(f"{self.order}2Q", offset, length)
        return replace(self.offset + 16 * chunk, entry)


def entries(index: Index) -> Iterator[Damage]:
    """Entries that cannot be right, in an index without a checksum."""
    end = len(index.encoded)
    first_free = index.length if index.at_start else 0
    for chunk in (0, 3, 7):
        offset, length = index.entry(chunk)
        other = index.entry(5)[0]
        for what, *entry in [
            ("no offset", MISSING, length),
            ("no length", offset, MISSING),
            ("offset at the end", end, length),
            ("offset beyond the end", 2**40, length),
            ("offset beyond 2^53", 2**60, length),
            ("end beyond 2^64", MISSING - 1, length),
            ("end beyond 2^64 by the length", offset, MISSING - 1),
            ("one byte beyond the end", end - length + 1, length),
            ("another byte of the offset", offset ^ 1 << 24, length),
            ("longer", offset, length + 1),
            ("shorter", offset, length - 1),
            ("no bytes", offset, 0),
            ("the index", index.offset, length),
            ("the last byte of the index", index.offset + index.length - 1, length),
            ("the place of another", other, length),
            ("half the place of another", other + length // 2, length),
            ("half the place of another before", max(other - length // 2, first_free), length),
        ]:
            damage = index.with_entry(chunk, *entry)
            # Of two that overlap either may be named.
            inner = None if "place of another" in what else coordinates(chunk)
            yield Damage(f"chunk {chunk}: {what}", ENTRY, damage, inner)
    offset, length = index.entry(5)
    for what, *entry in [
        ("no offset, of a missing chunk", MISSING, length),
        ("no length, of a missing chunk", 0, MISSING),
        ("the place of another, of a missing chunk", offset, length),
    ]:
        damage = index.with_entry(ABSENT, *entry)
        inner = None if "another" in what else coordinates(ABSENT)
        yield Damage(what, ENTRY, damage, inner)


def lengths(index: Index) -> Iterator[Damage]:
    end = len(index.encoded)
    for length in (0, 1, 15, index.length - 1):
        yield Damage(f"only {length} bytes", LENGTH, truncate(length))
    expected = MISMATCH if index.checksums and not index.at_start else ENTRY
    if index.at_start or index.checksums:
        yield Damage("last byte missing", expected, truncate(end - 1))
        yield Damage("last chunk missing", expected, truncate(end - CHUNK))
    if not index.at_start and index.checksums:
        yield Damage("a byte more", MISMATCH, append(b"\0"))


def flips(index: Index) -> Iterator[Damage]:
    """Flipped bits in an index with a checksum."""
    for position in range(0, index.length, 5):
        change = flip_in_byte(index.offset + position, position % 8)
        yield Damage(f"bit in byte {position} of the index", MISMATCH, change)
    for position in range(index.length - 4, index.length):
        change = flip_in_byte(index.offset + position, position % 8)
        yield Damage(f"bit in byte {position} of the index", MISMATCH, change)


def chunk_flips(encoded: bytes, name: str) -> Iterator[Damage]:
    """Flipped bits in inner chunks with checksums, of a shard of 2 x 2 of them."""
    at_start = INNER[name]
    index = 68 if at_start else len(encoded) - 68
    entries = 0 if at_start else index
    for chunk in range(4):
        offset, length = struct.unpack_from("<2Q", encoded, entries + 16 * chunk)
        if offset == MISSING:
            continue
        for position in (0, length // 2, length - 4, length - 1):
            change = flip_in_byte(offset + position, position % 8)
            inner = [chunk // 2, chunk % 2]
            yield Damage(f"chunk {chunk}, byte {position}", MISMATCH, change, inner)


# Arrays with 2 x 2 inner chunks that end with checksums, and whether their index is first.
INNER = {"type-int8": True, "type-int32": False, "fill-nan": False, "edges": False}

PLACES = [f"index-{place}-{endian}" for place in ("end", "start") for endian in ("little", "big")]


def read(file: str, array: str) -> tuple[str, bytes]:
    arrays = json.loads((HERE / file).read_text())["arrays"]
    chunk = next(each for each in arrays if each["name"] == array)["chunks"][0]
    return chunk["key"], bytes.fromhex(chunk["encoded"])


def described(file: str) -> Iterator[dict]:
    for name in [*PLACES, *[f"{place}-crc32c" for place in PLACES]]:
        key, encoded = read(file, name)
        index = Index(encoded, name)
        damages = [*(flips(index) if index.checksums else entries(index)), *lengths(index)]
        yield place(file, name, key, damages)
    for name in INNER:
        key, encoded = read(file, name)
        yield place(file, name, key, chunk_flips(encoded, name))


def place(file: str, array: str, key: str, damages: list[Damage]) -> dict:
    # What changes nothing is no damage, and two may be the same.
    distinct = {str(each.damage): each for each in damages}
    found = [
        {name: value for name, value in vars(each).items() if value is not None}
        for each in distinct.values()
    ]
    return {"file": file, "array": array, "chunk": key, "damages": found}


def main() -> None:
    chunks = [
        each
        for file in ("zarr-python.json", "zarrs.json")
        for each in described(file)
    ]
    (HERE / "damaged.json").write_text("\n".join(["[", *lines(chunks), "]", ""]))
    count = sum(len(chunk["damages"]) for chunk in chunks)
    print(f"{count} damages of {len(chunks)} shards")


if __name__ == "__main__":
    main()

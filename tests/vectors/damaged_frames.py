"""Damages that the formats of blosc, zstd, gzip and zlib reveal."""

from collections.abc import Iterator

from damages import Damage, append, flip, flip_in_byte, replace, truncate

EXTERNAL = "ExternalCodecError"
LENGTH = "ChunkLengthError"
MISMATCH = "ChecksumMismatchError"
# For a length that contradicts both the rest of the bytes and the chain, and for an end at
# which something else is read as the length.
EITHER = [EXTERNAL, LENGTH]


def number(data: bytes, position: int, size: int = 4) -> int:
    return int.from_bytes(data[position : position + size], "little")


def truncated(name: str, data: bytes, expected: str | list[str]) -> Iterator[Damage]:
    for length in (len(data) - 1, len(data) // 2):
        yield Damage(f"{name}: truncated to {length}", expected, truncate(length))
    yield Damage(f"{name}: empty", EXTERNAL, truncate(0))


def extended(name: str, expected: str | list[str]) -> Iterator[Damage]:
    yield Damage(f"{name}: a byte more", expected, append(b"\0"))
    yield Damage(f"{name}: bytes more", expected, append(bytes(range(1, 10))))


# https://github.com/Blosc/c-blosc/blob/main/README_CHUNK_FORMAT.rst
BLOSC_HEADER = 16
MEMCPYED, RESERVED_FLAG = 1, 3


def is_memcpyed(data: bytes) -> bool:
    return bool(data[2] >> MEMCPYED & 1)


def blosc(data: bytes) -> Iterator[Damage]:
    """Header: version, versionlz, flags, typesize, nbytes, blocksize, cbytes."""
    yield Damage("blosc: version", EXTERNAL, flip_in_byte(0, 2))
    yield Damage("blosc: version of the inner codec", EXTERNAL, flip_in_byte(1, 4))
    yield Damage("blosc: reserved flag", EXTERNAL, flip_in_byte(2, RESERVED_FLAG))
    yield Damage("blosc: flag memcpyed", EXTERNAL, flip_in_byte(2, MEMCPYED))
    unknown = replace(2, bytes([data[2] | 0xE0]))
    yield Damage("blosc: unknown inner codec", EXTERNAL, unknown)
    yield Damage("blosc: typesize 0", EXTERNAL, replace(3, b"\0"))
    for bit in range(0, 31, 6):
        is_less = number(data, 4) >> bit & 1
        contradicts = is_less or is_memcpyed(data)
        change = flip_in_byte(4, bit)
        yield Damage(
            f"blosc: nbytes, bit {bit}", EITHER if contradicts else LENGTH, change
        )
    yield Damage("blosc: blocksize 0", EXTERNAL, replace(8, bytes(4)))
    longer = (number(data, 4) + 1).to_bytes(4, "little")
    yield Damage("blosc: blocksize above nbytes", EXTERNAL, replace(8, longer))
    yield Damage("blosc: blocksize negative", EXTERNAL, flip_in_byte(8, 31))
    for bit in (0, 3, 9, 31):
        yield Damage(f"blosc: cbytes, bit {bit}", EXTERNAL, flip_in_byte(12, bit))
    yield from truncated("blosc", data, EXTERNAL)
    yield from extended("blosc", EXTERNAL)
    yield Damage("blosc: half a header", EXTERNAL, truncate(8))
    yield Damage("blosc: header only", EXTERNAL, truncate(BLOSC_HEADER))
    if not is_memcpyed(data):
        yield from blosc_blocks(data)


def blosc_blocks(data: bytes) -> Iterator[Damage]:
    """The offset of each block, then streams that begin with their length."""
    blocks = -(-number(data, 4) // number(data, 8))
    for block in {0, blocks - 1}:
        field = BLOSC_HEADER + 4 * block
        name = f"block {block} of {blocks}"
        outside = replace(field, len(data).to_bytes(4, "little"))
        yield Damage(f"blosc: {name} behind the end", EXTERNAL, outside)
        yield Damage(f"blosc: {name} negative", EXTERNAL, flip_in_byte(field, 31))
        inside = replace(field, (BLOSC_HEADER - 4).to_bytes(4, "little"))
        yield Damage(f"blosc: {name} in the header", EXTERNAL, inside)
        stream = number(data, field)
        for bit in (20, 31):
            change = flip_in_byte(stream, bit)
            yield Damage(f"blosc: {name}, stream length, bit {bit}", EXTERNAL, change)


# RFC 8878, 3.1.1
CHECKSUM_FLAG, RESERVED_BIT, SINGLE_SEGMENT = 2, 3, 5
RAW, COMPRESSED, RESERVED_BLOCK = 0, 2, 3


def content_size_length(data: bytes) -> int:
    """How many bytes state the content size in a frame of a single segment; 0 in others."""
    return [1, 2, 4, 8][data[4] >> 6] if data[4] >> SINGLE_SEGMENT & 1 else 0


def first_block(data: bytes) -> int:
    # A frame of several segments has a window descriptor instead.
    return 5 + (content_size_length(data) or 1)


def block_type(data: bytes) -> int:
    return number(data, first_block(data), 3) >> 1 & 3


def is_raw(data: bytes) -> bool:
    return block_type(data) == RAW


def is_compressed(data: bytes) -> bool:
    """Otherwise the header of the block states how many bytes it decodes to."""
    return block_type(data) == COMPRESSED


def zstd(data: bytes) -> Iterator[Damage]:
    has_checksum = data[4] >> CHECKSUM_FLAG & 1
    for bit in (0, 13, 31):
        yield Damage(f"zstd: magic, bit {bit}", EXTERNAL, flip(bit))
    yield Damage("zstd: reserved bit", EXTERNAL, flip_in_byte(4, RESERVED_BIT))
    yield Damage("zstd: checksum flag", EXTERNAL, flip_in_byte(4, CHECKSUM_FLAG))
    if size := content_size_length(data):
        for bit in (0, 3, 8 * size - 1):
            is_less = number(data, 5, size) >> bit & 1
            expected = EITHER if is_less or not is_compressed(data) else LENGTH
            change = flip_in_byte(5, bit)
            yield Damage(f"zstd: content size, bit {bit}", expected, change)
    else:
        yield Damage("zstd: window too large", EXTERNAL, replace(5, b"\xff"))
    yield from zstd_block(data, first_block(data))
    yield from truncated("zstd", data, EXTERNAL)
    yield from extended("zstd", EXTERNAL)
    yield Damage("zstd: magic only", EXTERNAL, truncate(4))
    if has_checksum:
        for position in (-4, -1):
            change = flip_in_byte(len(data) + position, 3)
            yield Damage("zstd: content checksum", MISMATCH, change)
        yield Damage("zstd: no checksum", EXTERNAL, truncate(len(data) - 4))


def zstd_block(data: bytes, position: int) -> Iterator[Damage]:
    """The first block: 1 bit that says if it is the last one, 2 of type, 21 of length."""
    header = number(data, position, 3)
    reserved = (header | RESERVED_BLOCK << 1).to_bytes(3, "little")
    yield Damage("zstd: reserved type of block", EXTERNAL, replace(position, reserved))
    yield Damage("zstd: block too long", EXTERNAL, flip_in_byte(position, 22))
    if header & 1:
        yield Damage("zstd: not the last block", EXTERNAL, flip_in_byte(position, 0))
    if is_raw(data) and data[4] >> CHECKSUM_FLAG & 1:
        for i in (3, 50, 100):
            change = flip_in_byte(position + i, i % 8)
            yield Damage("zstd: stored data", MISMATCH, change)


# RFC 1952
def gzip(data: bytes) -> Iterator[Damage]:
    yield Damage("gzip: magic, byte 0", EXTERNAL, flip_in_byte(0, 0))
    yield Damage("gzip: magic, byte 1", EXTERNAL, flip_in_byte(1, 7))
    yield Damage("gzip: method", EXTERNAL, flip_in_byte(2, 0))
    for bit in (5, 6, 7):
        yield Damage(f"gzip: reserved flag {bit}", EXTERNAL, flip_in_byte(3, bit))
    for bit in (0, 15, 31):
        crc, isize = len(data) - 8, len(data) - 4
        yield Damage(f"gzip: CRC-32, bit {bit}", MISMATCH, flip_in_byte(crc, bit))
        yield Damage(f"gzip: ISIZE, bit {bit}", EXTERNAL, flip_in_byte(isize, bit))
    yield from deflate("gzip", data, 10)
    yield from truncated("gzip", data, EITHER)
    yield from extended("gzip", EITHER)
    yield Damage("gzip: header only", EXTERNAL, truncate(10))
    yield Damage("gzip: half a header", EXTERNAL, truncate(5))


# RFC 1950
def zlib(data: bytes) -> Iterator[Damage]:
    for bit in (0, 4, 7, 8, 13, 15):
        yield Damage(f"zlib: header, bit {bit}", EXTERNAL, flip(bit))
    # With check bits that are right, so that only the field is wrong.
    for what, first, second in [
        ("method 7", 0x77, data[1] & 0xC0),
        ("window of 64 KiB", 0x88, data[1] & 0xC0),
        ("preset dictionary", data[0], data[1] & 0xC0 | 0x20),
    ]:
        second += 31 - (first * 256 + second) % 31
        change = replace(0, bytes([first, second]))
        yield Damage(f"zlib: {what}", EXTERNAL, change)
    for bit in (0, 15, 31):
        change = flip_in_byte(len(data) - 4, bit)
        yield Damage(f"zlib: Adler-32, bit {bit}", MISMATCH, change)
    yield from deflate("zlib", data, 2)
    yield from truncated("zlib", data, EXTERNAL)
    # Many decoders ignore what follows, so the last four bytes are taken for the Adler-32.
    yield from extended("zlib", [EXTERNAL, MISMATCH])
    yield Damage("zlib: header only", EXTERNAL, truncate(2))


# RFC 1951
def deflate(name: str, data: bytes, position: int) -> Iterator[Damage]:
    reserved = replace(position, bytes([data[position] | 6]))
    yield Damage(f"{name}: reserved type of block", EXTERNAL, reserved)
    is_stored = data[position] & 6 == 0
    if is_stored:
        length = flip_in_byte(position + 1, 2)
        yield Damage(f"{name}: length of a stored block", EXTERNAL, length)
        for i in (5, 60, 120):
            change = flip_in_byte(position + i, i % 8)
            yield Damage(f"{name}: stored data", MISMATCH, change)

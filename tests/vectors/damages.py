"""Damages of the bytes of a chunk, and the errors to expect."""

from dataclasses import dataclass


@dataclass
class Damage:
    what: str
    # The name of the class, or of two where the damage contradicts both.
    expected: str | list[str]
    damage: dict


def flip(bit: int) -> dict:
    """Bit `bit % 8` of byte `bit // 8`, where bit 0 is worth 1."""
    return {"kind": "flip", "bit": bit}


def flip_in_byte(position: int, bit: int) -> dict:
    return flip(8 * position + bit)


def truncate(length: int) -> dict:
    return {"kind": "truncate", "length": length}


def append(data: bytes) -> dict:
    return {"kind": "append", "bytes": data.hex()}


def replace(position: int, data: bytes) -> dict:
    return {"kind": "replace", "offset": position, "bytes": data.hex()}

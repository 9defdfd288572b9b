"""Writes types/values.json: what ml_dtypes decodes and encodes small numbers to.

Usage: python generate_values.py
"""

import json
import warnings
from importlib.metadata import version
from pathlib import Path

import ml_dtypes
import numpy as np

from small_types import FLOATS, INTEGERS

HERE = Path(__file__).parent

warnings.filterwarnings("ignore", category=RuntimeWarning)


def decoded(name: str, bits: int) -> np.ndarray:
    """The numbers of all bytes, whose upper bits mean nothing."""
    codes = (np.arange(256) & ((1 << bits) - 1)).astype("u1")
    return codes.view(getattr(ml_dtypes, name)).astype("f4")


def probes(finite: np.ndarray) -> np.ndarray:
    """Every number, the middle between any two, and their neighbours; and what is far outside."""
    positive = np.unique(np.abs(finite).astype("f8"))
    beyond = 2 * positive[-1] - positive[-2]
    points = np.append(positive, [beyond, 2 * beyond])
    points = np.append(points, [positive[0] / 2, positive[0] / 4, 3 * positive[0] / 4])
    middles = (points[1:] + points[:-1]) / 2
    singles = np.concatenate([points, middles]).astype("f4")
    largest, smallest = np.finfo("f4").max, np.finfo("f4").smallest_subnormal
    singles = np.concatenate(
        [
            singles,
            np.nextafter(singles, np.float32(np.inf)),
            np.nextafter(singles, np.float32(0)),
            np.array([np.inf, largest, smallest, 3 * smallest, 0, 1e30, 1e-30], "f4"),
        ]
    )
    singles = np.unique(singles)
    nans = np.array([0x7FC00000, 0xFFC00000], "u4").view("f4")
    return np.concatenate([singles, -singles, nans])


def unfit(name: str, singles: np.ndarray, codes: np.ndarray) -> list[int]:
    """The numbers that have no code near them, for which ml_dtypes takes NaN, the largest number or zero."""
    kind = getattr(ml_dtypes, name)
    info = ml_dtypes.finfo(kind)
    numbers = codes.view(kind).astype("f4")
    largest = np.float64(info.max)
    # Half of a last bit beyond the largest number; exactly there, rounding is to even.
    code = np.array(info.max, kind).view("u1")
    half = (largest - np.float64((code - 1).astype("u1").view(kind))) / 2
    if name == "float8_e8m0fnu":
        half *= 2  # The next number is twice as large.
    # Without a mantissa, the last bit is the leading 1.
    is_odd = code & 1 or name == "float8_e8m0fnu"
    magnitude = np.abs(singles.astype("f8"))
    beyond = magnitude >= largest + half if is_odd else magnitude > largest + half
    has_infinity = np.isinf(np.array(np.inf, "f4").astype(kind).astype("f4"))
    has_nan = np.isnan(np.array(np.nan, "f4").astype(kind).astype("f4"))
    outside = np.where(np.isnan(singles), not has_nan, beyond & (not has_infinity))
    if name == "float8_e8m0fnu":
        outside |= ~np.isnan(singles) & (np.signbit(singles) | (singles == 0))
    wrong = np.isnan(numbers) & ~np.isnan(singles) & ~outside
    if wrong.any():
        raise AssertionError(f"{name}: {singles[wrong]}")
    return np.flatnonzero(outside).tolist()


def floats(name: str, bits: int) -> dict:
    numbers = decoded(name, bits)
    singles = probes(numbers[np.isfinite(numbers)])
    if name == "float8_e8m0fnu":
        # ml_dtypes rounds up between the two least numbers, wherever.
        singles = singles[~((singles > 2.0**-127) & (singles < 1.5 * 2.0**-127))]
    codes = singles.astype(getattr(ml_dtypes, name)).view("u1")
    return {
        "decoded": numbers.astype("<f4").tobytes().hex(),
        "singles": singles.astype("<f4").tobytes().hex(),
        "codes": codes.tobytes().hex(),
        "unfit": unfit(name, singles, codes),
    }


def integers(name: str, bits: int) -> dict:
    codes = np.arange(256, dtype="u1").view(getattr(ml_dtypes, name))
    info = ml_dtypes.iinfo(getattr(ml_dtypes, name))
    numbers = np.arange(int(info.min), int(info.max) + 1)
    return {
        "decoded": codes.astype("i1").tobytes().hex(),
        "least": int(info.min),
        "codes": numbers.astype(getattr(ml_dtypes, name)).view("u1").tobytes().hex(),
    }


def bfloat16() -> dict:
    """All codes but NaN, and binary32 between them."""
    halves = np.arange(1 << 16).astype("<u2")
    rng = np.random.default_rng(16)
    singles = rng.integers(0, 1 << 32, 4096, dtype="u4")
    singles[:2048] = singles[:2048] & 0xFFFF0000 | np.resize(
        [0x7FFF, 0x8000, 0x8001, 0xFFFF], 2048
    ).astype("u4")
    singles = singles[~np.isnan(singles.view("f4"))]
    codes = singles.view("f4").astype(ml_dtypes.bfloat16).view("u2")
    is_number = ~np.isnan(halves.view(ml_dtypes.bfloat16))
    widened = halves.view(ml_dtypes.bfloat16).astype("f4").view("u4")
    if not np.array_equal(widened[is_number], halves[is_number].astype("u4") << 16):
        raise AssertionError("bfloat16 is not the upper half of binary32")
    return {
        "singles": singles.astype("<u4").tobytes().hex(),
        "codes": codes.astype("<u2").tobytes().hex(),
    }


def main() -> None:
    values = {"writer": f"ml_dtypes {version('ml_dtypes')}"}
    values["floats"] = {name: floats(name, bits) for name, bits in FLOATS.items()}
    values["integers"] = {name: integers(name, bits) for name, bits in INTEGERS.items()}
    values["bfloat16"] = bfloat16()
    text = json.dumps(values, indent=1)
    (HERE / "types/values.json").write_text(text + "\n")


if __name__ == "__main__":
    main()

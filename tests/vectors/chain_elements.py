"""The elements of the chains' vectors: smooth stretches, repetitions and noise."""

import random

import numpy as np
from generate import element_size, numpy_type


def smooth(data_type: str, count: int) -> np.ndarray:
    """Values that rise slowly, as the bytes of each."""
    item = numpy_type(data_type)
    steps = np.arange(count, dtype="int64") // 3
    if item.kind == "b":
        values = steps % 2
    elif item.kind in "iu":
        values = steps * 5 % 251
    else:
        values = 0.25 * steps if item.kind == "f" else steps * (0.25 - 0.5j)
    return (
        np.ascontiguousarray(values.astype(item))
        .view("u1")
        .reshape(count, item.itemsize)
    )


def noise(data_type: str, count: int, seed: str = "") -> np.ndarray:
    size = element_size(data_type)
    generator = random.Random(f"{data_type} {count} {seed}")
    data = np.frombuffer(generator.randbytes(size * count), "u1")
    if data_type == "bool":
        data = data & 1
    return data.reshape(count, size)


def constant(data_type: str, count: int) -> np.ndarray:
    """One element repeated, not the fill value."""
    return np.repeat(noise(data_type, 1, "constant"), count, axis=0)


def mixed(data_type: str, count: int) -> np.ndarray:
    """Half smooth, a quarter repeated, the rest noise."""
    half, quarter = count // 2, count // 4
    start = smooth(data_type, half)
    rest = count - half - quarter
    return np.concatenate([start, start[:quarter], noise(data_type, rest, "mixed")])


def steps(data_type: str, count: int) -> np.ndarray:
    """Long runs, then noise: compressible by the fastest inner codecs of blosc too."""
    runs = np.repeat(smooth(data_type, count), 8, axis=0)[: count * 7 // 8]
    return np.concatenate([runs, noise(data_type, count - len(runs), "steps")])


FLAVOURS = {
    "constant": constant,
    "smooth": smooth,
    "mixed": mixed,
    "noise": noise,
    "steps": steps,
}


def make_elements(data_type: str, shape: list[int], flavour: str) -> np.ndarray:
    count = int(np.prod(shape, dtype=int))
    return FLAVOURS[flavour](data_type, count).reshape(*shape, element_size(data_type))


def in_rows(data_type: str, chunk: int, flavours: list[str]) -> np.ndarray:
    """A 1-d array with a chunk of each flavour."""
    return np.concatenate([FLAVOURS[flavour](data_type, chunk) for flavour in flavours])

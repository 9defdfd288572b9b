"""Writes the image that the page opens first, made-up cells under a microscope, as an OME-Zarr 0.5 store; and
beside the page's tests, what zarr-python reads of it and of the sample store.

Usage: python generate_cells.py
"""

import json
import shutil
from pathlib import Path

import google_crc32c
import numpy as np
import zarr

HERE = Path(__file__).parent
STORE = HERE / "cells.ome.zarr"
EXPECTED = HERE.parents[1] / "tests/page/expected.json"

PLANES, HEIGHT, WIDTH = 3, 128, 160
CHUNK = (1, 1, 16, 16)
SHARD = (1, PLANES, 64, 96)
LEVELS = 3
# Micrometres along z, y and x.
SPACING = (1.5, 0.4, 0.4)

CHANNELS = [
    ("Nuclei", "3B8BFF", 2600),
    ("Membranes", "2FBF71", 1900),
    ("Vesicles", "FF4FA0", 3000),
]

rng = np.random.default_rng(6)
z, y, x = np.mgrid[0:PLANES, 0:HEIGHT, 0:WIDTH].astype(float)


def centres() -> np.ndarray:
    """Where cells are: a grid of which every point is moved a little."""
    rows, columns = np.mgrid[-8 : HEIGHT + 24 : 21, -8 : WIDTH + 24 : 23].astype(float)
    columns[1::2] += 11
    return np.stack([rows, columns], axis=-1).reshape(-1, 2)


def nuclei(cells: np.ndarray) -> np.ndarray:
    """Ellipsoids that turn and bulge, with grains inside."""
    image = np.zeros_like(x)
    for row, column in cells:
        angle, size, depth = (
            rng.uniform(0, np.pi),
            rng.uniform(5, 7),
            rng.uniform(0.6, 1.4),
        )
        down, right = y - row, x - column
        along = down * np.cos(angle) + right * np.sin(angle)
        across = right * np.cos(angle) - down * np.sin(angle)
        distance = np.sqrt(
            (along / size) ** 2 + (across / (0.72 * size)) ** 2 + ((z - depth) / 2) ** 2
        )
        image += rng.uniform(900, 1900) / (1 + np.exp(9 * (distance - 1)))
    grains = np.sin(x * 1.3 + 2 * np.sin(y / 3)) * np.sin(y * 1.1 + z + np.sin(x / 4))
    return image * (1 + 0.18 * grains)


def membranes(cells: np.ndarray) -> np.ndarray:
    """Bright where two cells are equally near."""
    drift = 1.3 * (z - 1)
    distances = np.stack(
        [np.hypot(y - row + drift, x - column - drift) for row, column in cells]
    )
    nearest, second = np.partition(distances, 1, axis=0)[:2]
    return 1300 * np.exp(-(((second - nearest) / 2) ** 2)) + 130


def vesicles(cells: np.ndarray) -> np.ndarray:
    """Small spots around the nuclei, each in focus in one plane."""
    image = np.zeros_like(x)
    for row, column in cells:
        for _ in range(rng.integers(2, 7)):
            angle, distance = rng.uniform(0, 2 * np.pi), rng.uniform(6, 10)
            down = y - row - distance * np.sin(angle)
            right = x - column - distance * np.cos(angle)
            focus = (z - rng.integers(PLANES)) ** 2
            image += rng.uniform(900, 2600) * np.exp(
                -(down**2 + right**2) / 1.8 - focus
            )
    return image


def cells() -> np.ndarray:
    """All channels: round field of view, shading, noise of the camera. Outside of the field nothing is stored."""
    middle = centres()
    where = middle + rng.uniform(-5, 5, middle.shape)
    image = np.stack([nuclei(where), membranes(where), vesicles(where)])
    radius = np.hypot((y - HEIGHT / 2) / (HEIGHT / 2), (x - WIDTH / 2) / (WIDTH / 2))
    noise = rng.integers(-40, 41, image.shape)
    seen = 100 + image * (1 - 0.35 * radius**2) + noise * np.sqrt(1 + image / 300)
    return np.where(radius < 1, seen, 0).round().clip(0, 4095).astype("uint16")


def half(image: np.ndarray) -> np.ndarray:
    """The mean of each square of four."""
    channels, planes, height, width = image.shape
    squares = image.reshape(channels, planes, height // 2, 2, width // 2, 2)
    return squares.mean(axis=(3, 5)).round().astype("uint16")


def ome() -> dict:
    axes = [{"name": "c", "type": "channel"}] + [
        {"name": name, "type": "space", "unit": "micrometer"} for name in "zyx"
    ]
    datasets = [
        {
            "path": str(level),
            "coordinateTransformations": [
                {
                    "type": "scale",
                    "scale": [
                        1,
                        SPACING[0],
                        SPACING[1] * 2**level,
                        SPACING[2] * 2**level,
                    ],
                }
            ],
        }
        for level in range(LEVELS)
    ]
    channels = [
        {
            "label": label,
            "color": color,
            "active": True,
            "window": {"min": 0, "start": 100, "end": end, "max": 4095},
        }
        for label, color, end in CHANNELS
    ]
    return {
        "version": "0.5",
        "multiscales": [{"name": "Cells", "axes": axes, "datasets": datasets}],
        "omero": {
            "channels": channels,
            "rdefs": {"defaultZ": 1, "model": "color"},
        },
    }


def write() -> None:
    shutil.rmtree(STORE, ignore_errors=True)
    group = zarr.create_group(STORE, attributes={"ome": ome()})
    image = cells()
    for level in range(LEVELS):
        array = group.create_array(
            str(level),
            shape=image.shape,
            dtype="uint16",
            chunks=CHUNK,
            shards=SHARD,
            serializer={"name": "bytes", "configuration": {"endian": "big"}},
            compressors=[{"name": "crc32c"}],
            filters=None,
            dimension_names=("c", "z", "y", "x"),
        )
        array[...] = image
        image = half(image)


def plain(value):
    """A number as JSON can have it."""
    if isinstance(value, complex | np.complexfloating):
        return [float(value.real), float(value.imag)]
    return value.item() if hasattr(value, "item") else value


def checksums(path: Path, array: zarr.Array) -> list[int | None]:
    """Those of the chunks inside the shards, in C order; None where a chunk is missing."""
    grid = [-(-length // size) for length, size in zip(array.shape, array.chunks)]
    per_shard = [shard // chunk for shard, chunk in zip(array.shards, array.chunks)]
    entries = int(np.prod(per_shard))
    found = []
    for position in np.ndindex(*grid):
        key = "/".join(str(at // count) for at, count in zip(position, per_shard))
        shard = (path / "c" / key).read_bytes()
        index = np.frombuffer(shard[-16 * entries - 4 : -4], "<u8")
        within = tuple(at % count for at, count in zip(position, per_shard))
        offset, length = map(int, index.reshape(*per_shard, 2)[within])
        if offset == 2**64 - 1:
            found.append(None)
            continue
        encoded = shard[offset : offset + length]
        found.append(google_crc32c.value(encoded[:-4]))
        assert found[-1] == int.from_bytes(encoded[-4:], "little")
    return found


def read_back() -> dict:
    """What the page must show."""
    image = zarr.open_group(STORE, mode="r")
    levels = {}
    for level in range(LEVELS):
        array = image[str(level)]
        values = array[...]
        levels[str(level)] = {
            "shape": array.shape,
            "points": [
                [*map(int, at), values[:, *at].tolist()]
                for at in rng.integers(0, values.shape[1:], (12, 3))
            ],
            "checksums": checksums(STORE / str(level), array),
        }
    sample = zarr.open_group(HERE / "sample.zarr", mode="r")
    arrays = {
        name: {
            "shape": array.shape,
            "points": [
                [*map(int, at), plain(array[...][tuple(at)])]
                for at in rng.integers(0, array.shape, (5, array.ndim))
            ],
        }
        for name, array in sorted(sample.arrays())
    }
    return {"cells": levels, "sample": arrays}


if __name__ == "__main__":
    write()
    EXPECTED.parent.mkdir(exist_ok=True)
    EXPECTED.write_text(json.dumps(read_back()) + "\n")

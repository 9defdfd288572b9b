"""Writes the sample store: a made-up world, as zarr-python stores it.

Usage: python generate.py
"""

import shutil
import warnings
from pathlib import Path

import numpy as np
import zarr
from zarr.errors import ZarrUserWarning

STORE = Path(__file__).parent / "sample.zarr"

CRC32C = {"name": "crc32c"}
MAP = ("latitude", "longitude")

rng = np.random.default_rng(20)
latitude = np.linspace(88.75, -88.75, 72)[:, np.newaxis]
longitude = np.linspace(-178.75, 178.75, 144)[np.newaxis, :]
hours = np.arange(240)


def hill(
    height: float, north: float, east: float, size: float, stretch: float = 1
) -> np.ndarray:
    """A smooth bump on the globe, metres high and degrees wide."""
    distance_east = (longitude - east + 180) % 360 - 180
    distance_east = distance_east * np.cos(np.radians(latitude)) / stretch
    return height * np.exp(-((latitude - north) ** 2 + distance_east**2) / size**2)


def ripples() -> np.ndarray:
    """Waves of random phase, the shorter the lower: they shape the coasts."""
    waves = [
        np.sin(np.radians(east * longitude + north * latitude + rng.uniform(0, 360)))
        / east
        for east in range(2, 16)
        for north in (-east, east // 2)
    ]
    return 900 * sum(waves) * np.cos(np.radians(latitude))


def elevation() -> np.ndarray:
    """An ocean floor with continents, mountains on them, and islands."""
    continents = [(4600, 45, -100, 26, 1.3), (4500, -15, -60, 20), (4700, 5, 20, 27)]
    continents += [
        (5200, 50, 80, 30, 1.8),
        (4300, -25, 134, 14, 1.2),
        (5500, -90, 0, 22),
    ]
    mountains = [(2500, 45, -112, 9), (3000, -20, -68, 8, 0.4), (4800, 32, 85, 9, 1.8)]
    islands = [
        (
            rng.uniform(2500, 5000),
            rng.uniform(-50, 60),
            rng.uniform(-180, 180),
            rng.uniform(3, 7),
        )
        for _ in range(24)
    ]
    hills = sum(hill(*bump) for bump in continents + mountains + islands)
    return -3200 + ripples() + hills


def temperature(height: np.ndarray) -> np.ndarray:
    """Warm at the equator, 6.5 degrees colder with each kilometre up."""
    waves = 3 * np.sin(np.radians(3 * longitude)) * np.sin(np.radians(2 * latitude))
    return (
        -25
        + 53 * np.cos(np.radians(latitude)) ** 1.5
        + waves
        - 6.5e-3 * np.maximum(height, 0)
    )


def precipitation(height: np.ndarray) -> np.ndarray:
    """A wet belt near the equator, storm tracks, more on the mountains."""
    belts = [(9, 6, 8), (4, 45, 12), (4.5, -50, 12)]
    meander = latitude + 5 * np.sin(np.radians(2 * longitude))
    rain = sum(
        peak * np.exp(-(((meander - at) / width) ** 2)) for peak, at, width in belts
    )
    return rain * (1 + np.maximum(height, 0) / 4000)


def pressure() -> np.ndarray:
    """Passing weather with the half-daily tide of the atmosphere."""
    weather = 12 * np.sin(hours / 19) + 7 * np.cos(hours / 31 + 1)
    return 1013.25 + weather + 1.1 * np.cos(2 * np.pi * (hours - 10) / 12)


def spectrum() -> np.ndarray:
    """A chirp as an interferometer sees it: the phase turns with time and channel."""
    time, channel = np.mgrid[0:96, 0:40]
    ridge = np.exp(-(((channel - 8 - time / 4) / 5) ** 2))
    return (0.1 + ridge) * np.exp(2j * np.pi * (channel / 10 + time / 24))


def counts() -> np.ndarray:
    """Photons on a detector while a spot crosses it."""
    frame, row, column = np.mgrid[0:10, 0:22, 0:30]
    spot = (row - 5 - 1.2 * frame) ** 2 + (column - 4 - 2.3 * frame) ** 2
    return rng.poisson(4 + 900 * np.exp(-spot / 18))


def add(
    group: zarr.Group,
    name: str,
    values: np.ndarray,
    data_type: str,
    chunks: tuple[int, ...],
    codecs: list[dict],
    dimensions: tuple[str, ...],
    **attributes: str,
) -> None:
    array_to_bytes, *bytes_to_bytes = codecs
    array = group.create_array(
        name,
        shape=values.shape,
        dtype=data_type,
        chunks=chunks,
        serializer=array_to_bytes,
        compressors=bytes_to_bytes or None,
        filters=None,
        dimension_names=dimensions,
        attributes=attributes,
        # A chunk of nothing but sea would otherwise have no file.
        config={"write_empty_chunks": True},
    )
    array[...] = values.astype(data_type)


def chain(endian: str | None, *bytes_to_bytes: dict) -> list[dict]:
    configuration = {"configuration": {"endian": endian}} if endian else {}
    return [{"name": "bytes", **configuration}, *bytes_to_bytes]


def main() -> None:
    shutil.rmtree(STORE, ignore_errors=True)
    group = zarr.create_group(STORE, attributes={"title": "A made-up world"})
    # All are rounded, so that last bits that differ between processors change no file.
    height = elevation().round()
    add(
        group,
        "elevation",
        height,
        "int16",
        (24, 48),
        chain("big"),
        MAP,
        units="m",
        long_name="height above the sea, or depth below it",
    )
    add(
        group,
        "land_mask",
        height > 0,
        "bool",
        (36, 72),
        chain(None),
        MAP,
        long_name="whether there is land",
    )
    add(
        group,
        "temperature",
        temperature(height).round(2),
        "float32",
        (24, 48),
        chain("big", CRC32C),
        MAP,
        units="degree_Celsius",
        long_name="air temperature at the ground",
    )
    add(
        group,
        "precipitation",
        precipitation(height).round(2),
        "float16",
        (36, 48),
        chain("little", CRC32C),
        MAP,
        units="mm/day",
        long_name="rain and snow",
    )
    add(
        group,
        "time",
        1_767_225_600 + 3600 * hours,
        "int64",
        (96,),
        chain("little"),
        ("time",),
        units="seconds since 1970-01-01T00:00:00Z",
        long_name="time of the pressure reading",
    )
    add(
        group,
        "pressure",
        pressure().round(2),
        "float64",
        (96,),
        chain("little", CRC32C),
        ("time",),
        units="hPa",
        long_name="air pressure at one station",
    )
    add(
        group,
        "spectrum",
        spectrum().round(4),
        "complex64",
        (32, 20),
        chain("big", CRC32C),
        ("sample", "channel"),
        units="Jy",
        long_name="visibility of a radio source",
    )
    add(
        group,
        "counts",
        counts(),
        "uint16",
        (4, 12, 16),
        chain("big", CRC32C),
        ("frame", "row", "column"),
        units="1",
        long_name="photons on a detector",
    )
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", ZarrUserWarning
        )  # "not part of the specification" yet
        zarr.consolidate_metadata(STORE)


if __name__ == "__main__":
    main()

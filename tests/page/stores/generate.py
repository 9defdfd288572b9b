"""Writes stores.zip: small stores of zarr-python and xarray, as the tests of the page serve them.

    pip install zarr==3.1.6 xarray==2026.9.0
    python tests/page/stores/generate.py
"""

import io
import pathlib
import shutil
import tempfile
import warnings
import zipfile

import numpy as np
import xarray as xr
import zarr
from zarr.codecs import BytesCodec, Crc32cCodec, ShardingCodec, ZstdCodec

warnings.simplefilter("ignore")
HERE = pathlib.Path(__file__).parent


def weather(folder: pathlib.Path, zarr_format: int) -> None:
    """What xarray writes: latitude grows, so that the first row is the southernmost."""
    lat = np.linspace(-87.5, 87.5, 36)
    lon = np.linspace(0, 355, 72)
    time = np.array(["2020-01-01", "2020-01-02", "2020-01-03"], dtype="datetime64[ns]")
    data = (lat[None, :, None] + 0 * lon[None, None, :] + 100 * np.arange(3)[:, None, None]).astype("float32")
    dataset = xr.Dataset(
        {"temperature": (("time", "lat", "lon"), data, {"units": "K"})},
        coords={
            "time": time,
            "lat": ("lat", lat, {"units": "degrees_north", "standard_name": "latitude"}),
            "lon": ("lon", lon, {"units": "degrees_east"}),
        },
    )
    dataset.to_zarr(folder, zarr_format=zarr_format, consolidated=True, encoding={"temperature": {"chunks": (1, 18, 24)}})


def types(folder: pathlib.Path) -> None:
    group = zarr.open_group(folder, mode="w", zarr_format=3)

    def add(name: str, data: np.ndarray, **options: object) -> None:
        array = group.create_array(name, shape=data.shape, chunks=data.shape, dtype=data.dtype, **options)
        array[...] = data

    add("dates", np.array(["2024-02-29", "2024-03-01", "NaT", "2025-12-31"], dtype="datetime64[D]"))
    add("names", np.array(["Zürich", "Kyōto", "Łódź"], dtype="<U8"))
    add("codes", np.array([b"ab", b"cde", b""], dtype="S4"))
    add("blobs", np.array([b"\x01\x02\xff", b"\x00\x10\x20"], dtype="V3"))
    add("points", np.array([(1, 2.5), (-3, 0.125)], dtype=[("id", "<i4"), ("height", "<f4")]))
    add("words", np.array([["one", "two"], ["three", "four"]], dtype=np.dtypes.StringDType()))
    add("waits", np.array([90, 3], dtype="timedelta64[s]"))
    zarr.consolidate_metadata(folder)


def shards(folder: pathlib.Path) -> None:
    """A shard whose index is at its start, with compressed chunks."""
    sharding = ShardingCodec(
        chunk_shape=(16, 16),
        codecs=[BytesCodec(), ZstdCodec(level=3, checksum=True)],
        index_codecs=[BytesCodec(), Crc32cCodec()],
        index_location="start",
    )
    array = zarr.create_array(
        folder, shape=(64, 64), chunks=(32, 32), dtype="uint16", serializer=sharding, compressors=None, filters=None
    )
    array[...] = np.arange(64 * 64, dtype="uint16").reshape(64, 64)


def colours(folder: pathlib.Path) -> None:
    """Red, green and blue, blosc as zarr-python's users ask for it."""
    rows, columns = np.mgrid[0:32, 0:48]
    data = np.stack([8 * rows, 5 * columns, 0 * rows], axis=-1).astype("uint8")
    array = zarr.create_array(
        folder, shape=data.shape, chunks=(16, 16, 3), dtype="uint8", compressors=zarr.codecs.BloscCodec(cname="lz4")
    )
    array[...] = data


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        root = pathlib.Path(temporary)
        weather(root / "weather.zarr", 3)
        weather(root / "weather2.zarr", 2)
        types(root / "types.zarr")
        shards(root / "shards.zarr")
        colours(root / "colours.zarr")
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(root.rglob("*")):
                if path.is_file():
                    # A fixed date, so that the file changes with its contents only.
                    info = zipfile.ZipInfo(str(path.relative_to(root)), (2026, 1, 1, 0, 0, 0))
                    archive.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED)
        (HERE / "stores.zip").write_bytes(packed.getvalue())


if __name__ == "__main__":
    main()

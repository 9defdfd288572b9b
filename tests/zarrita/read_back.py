"""Reads what zarrita wrote with our codecs with zarr-python and tensorstore, and compares.

Usage: node write_stores.mjs <folder> && python read_back.py <folder>
"""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import tensorstore
import zarr

SHAPE = (5, 6)


def expected(data_type: str) -> np.ndarray:
    """What write_stores.mjs wrote: 0, 1, 2, ... halved, as the data type takes them."""
    index = np.arange(30)
    if data_type == "bool":
        values = index % 3 == 0
    elif data_type.endswith("int64"):
        values = index
    else:
        values = index / 2
    return values.astype(data_type).reshape(SHAPE)


def read_zarr_python(store: Path) -> np.ndarray:
    return np.asarray(zarr.open_array(store, mode="r")[...])


def read_tensorstore(store: Path) -> np.ndarray:
    spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": str(store)}}
    return tensorstore.open(spec, open=True).result().read().result()


READERS = {"zarr-python": read_zarr_python, "tensorstore": read_tensorstore}


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: python read_back.py <folder>")
    counts, faults = {}, []
    for version in sorted(path for path in Path(sys.argv[1]).iterdir() if path.is_dir()):
        for store in sorted(version.iterdir()):
            data_type = store.name.split("-")[0]
            for name, read in READERS.items():
                count = counts.setdefault((version.name, name), Counter())
                try:
                    elements = read(store)
                except Exception as error:  # noqa: BLE001 (to report it, whatever it is)
                    faults.append(f"{store}: {name} failed: {error}")
                    continue
                if np.array_equal(elements, expected(data_type)):
                    count["equal"] += 1
                else:
                    faults.append(f"{store}: {name} read something else")
    for (version, name), count in counts.items():
        print(f"zarrita {version}, {name}: {count['equal']} equal")
    if faults or not counts:
        sys.exit("\n".join(faults) or "nothing was read")


if __name__ == "__main__":
    main()

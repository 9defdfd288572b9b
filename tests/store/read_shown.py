"""Reads arrays as stored, and as `withCodecs` shows them, with zarr-python and tensorstore, and compares.

Usage: node write_shown.mjs <folder> && python read_shown.py <folder>
"""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import tensorstore
import zarr


def read_zarr_python(store: Path) -> bytes:
    return np.ascontiguousarray(zarr.open_array(store, mode="r")[...]).tobytes()


def read_tensorstore(store: Path) -> bytes:
    spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": str(store)}}
    array = tensorstore.open(spec, open=True).result()
    if array.dtype.name == "byte":
        # What `read` returns for bytes has items of size 0: bring memory to read into.
        elements = np.empty(array.shape, "u1")
        tensorstore.array(elements.view("V1")).write(array).result()
        return elements.tobytes()
    elements = array.read().result()
    if array.dtype.name in ("int2", "int4"):
        elements = elements.astype("i1")  # In memory, unused bits differ.
    return np.ascontiguousarray(elements).tobytes()


READERS = {"zarr-python": read_zarr_python, "tensorstore": read_tensorstore}


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: python read_shown.py <folder>")
    counts, faults = {name: Counter() for name in READERS}, []
    for array in sorted(Path(sys.argv[1]).iterdir()):
        for name, read in READERS.items():
            try:
                original = read(array / "original")
            except Exception:  # noqa: BLE001 (whatever the reader does not support)
                original = None
            try:
                shown = read(array / "shown")
            except Exception as error:  # noqa: BLE001 (to report it, whatever it is)
                shown = None
                if original is not None:
                    faults.append(f"{array.name}: {name} failed: {error}")
                    continue
            elements = array / "elements"
            expected = elements.read_bytes() if elements.exists() else original
            if shown is None:
                counts[name]["read neither"] += 1
            elif expected is not None and shown != expected:
                faults.append(f"{array.name}: {name} read something else")
            elif original is None:
                counts[name]["read only as shown"] += 1
            else:
                counts[name]["equal"] += 1
    for name, count in counts.items():
        print(f"{name}: " + ", ".join(f"{n} {what}" for what, n in sorted(count.items())))
    if faults or not any(counts.values()):
        sys.exit("\n".join(faults) or "nothing was read")


if __name__ == "__main__":
    main()

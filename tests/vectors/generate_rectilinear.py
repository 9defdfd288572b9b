"""Writes the vectors of rectilinear chunk grids, which needs Python 3.12 and its requirements.

Usage: python3.12 generate_rectilinear.py
"""

import tempfile
from pathlib import Path

from chain_cases import rectilinear_cases
from generate import check, lines, vector, write_store
from grid import chunk_shape
from implementations import ZarrPython, Zarrs

HERE = Path(__file__).parent / "chains"


def with_shapes(array: dict) -> dict:
    """Adds the shape of each chunk, which the metadata state for all of them."""
    for chunk in array["chunks"]:
        chunk["shape"] = chunk_shape(array["metadata"], chunk["key"])
    return array


def vectors(writer: type, folder: Path) -> list[dict]:
    arrays = []
    for case in rectilinear_cases():
        store = folder / writer.name / case.name
        write_store(writer, case, store)
        if not check(case, store, writer):
            raise AssertionError(f"only {writer.name} reads {case.name}")
        arrays.append(with_shapes(vector(case, store)))
    print(f"{writer.name} {writer.version}: {len(arrays)} arrays")
    return arrays


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for writer in (ZarrPython, Zarrs):
            text = "\n".join(lines(writer, vectors(writer, Path(folder))))
            (HERE / f"{writer.name}-rectilinear.json").write_text(text)


if __name__ == "__main__":
    main()

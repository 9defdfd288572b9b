"""Writes the vectors of shards.

Usage: python generate_shards.py
"""

import gzip
import tempfile
import types
from pathlib import Path

from generate import check, lines, vector, write_store
from implementations import IMPLEMENTATIONS, REFUSALS
from shard_cases import shard_cases

HERE = Path(__file__).parent / "shards"

# Fixes the modification time in the gzip headers that Python writes.
gzip.time = types.SimpleNamespace(time=lambda: 1_800_000_000)



def vectors(writer: type, folder: Path) -> list[dict]:
    written, alone, refused = [], [], []
    for case in shard_cases():
        store = folder / writer.name / case.name
        try:
            write_store(writer, case, store)
        except REFUSALS:
            refused.append(case.name)
            continue
        if not check(case, store, writer):
            alone.append(case.name)
        written.append(vector(case, store))
    print(f"{writer.name} {writer.version}: {len(written)} arrays")
    if alone:
        print("  read back by their writer only:", *alone)
    if refused:
        print("  refused:", *refused)
    return written


def main() -> None:
    HERE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for writer in IMPLEMENTATIONS:
            (Path(folder) / writer.name).mkdir()
            found = vectors(writer, Path(folder))
            text = "\n".join(lines(writer, found))
            (HERE / f"{writer.name}.json").write_text(text)


if __name__ == "__main__":
    main()

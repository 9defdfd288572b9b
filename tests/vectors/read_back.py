"""Reads what zarr-codecs encoded with other implementations, and compares every bit.

Usage: node write_stores.mjs <folder> && python read_back.py <folder>
       node write_chain_stores.mjs <folder> && python read_back.py <folder> chains
       node write_shard_stores.mjs <folder> && python read_back.py <folder> shards
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from grid import chunk_region, chunk_shape
from implementations import IMPLEMENTATIONS, REFUSALS

HERE = Path(__file__).parent

Counts = dict[tuple[str, str], Counter]


def expected_chunks(array: dict) -> Iterator[tuple[tuple[slice, ...], np.ndarray]]:
    """Where each chunk of a vector lies in its array, and its elements there."""
    metadata = array["metadata"]
    for chunk in array["chunks"]:
        key = chunk["key"]
        region = chunk_region(metadata, key)
        inside = tuple(slice(part.stop - part.start) for part in region)
        elements = np.frombuffer(bytes.fromhex(chunk["decoded"]), "u1")
        yield region, elements.reshape(*chunk_shape(metadata, key), -1)[inside]


def is_equal(opened: object, array: dict) -> bool:
    elements = opened.read()
    return all(
        np.array_equal(elements[region], expected)
        for region, expected in expected_chunks(array)
    )


def read_back(reader: type, store: Path, array: dict) -> tuple[str, str]:
    """Says "equal", "different", "failed" or "refused", and the error if any."""
    try:
        opened = reader(store)
    except REFUSALS as error:  # of the vector's own metadata, before reading a chunk
        return "refused", str(error)
    try:
        return ("equal" if is_equal(opened, array) else "different"), ""
    except Exception as error:  # noqa: BLE001 (to report it, whatever it is)
        return "failed", str(error)


def compare(folder: Path, vectors: Path) -> tuple[Counts, list[str]]:
    """Counts of outcomes by reader and writer, and the faults found."""
    counts, faults = {}, []
    for file in sorted(vectors.glob("*.json")):
        if file.stem == "damaged":
            continue
        for array in json.loads(file.read_text())["arrays"]:
            store = folder / file.stem / array["name"]
            # A missing store would count as one that every reader refuses.
            if not (store / "zarr.json").exists():
                faults.append(f"{store}: missing")
                continue
            for reader in IMPLEMENTATIONS:
                outcome, error = read_back(reader, store, array)
                counts.setdefault((reader.name, file.stem), Counter())[outcome] += 1
                may_refuse = reader.name != file.stem  # nobody refuses its own
                if outcome != "equal" and not (outcome == "refused" and may_refuse):
                    faults.append(f"{store}: {outcome}, read by {reader.name} {error}")
    return counts, faults


def table(counts: Counts) -> Iterator[str]:
    writers = sorted({writer for _, writer in counts})
    yield "arrays read / equal / refused (not supported), by reader and vectors' writer"
    yield "".join(f"{title:<26}" for title in ["", *writers]).rstrip()
    for reader in IMPLEMENTATIONS:
        cells = [
            f"{count.total() - count['refused']} / {count['equal']} / {count['refused']}"
            for count in (counts[reader.name, writer] for writer in writers)
        ]
        yield "".join(f"{cell:<26}" for cell in [reader.name, *cells]).rstrip()


def unread(counts: Counts) -> Iterator[str]:
    """Readers and writers without an equal array: each may refuse some, but not all."""
    for position in (0, 1):
        equal = Counter()
        for names, count in counts.items():
            equal[names[position]] += count["equal"]
        verb = ["read nothing", "was not read"][position]
        yield from (f"{name} {verb}" for name in equal if not equal[name])


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["chains"], ["shards"]):
        sys.exit("usage: python read_back.py <folder> [chains | shards]")
    counts, faults = compare(Path(sys.argv[1]), HERE.joinpath(*sys.argv[2:]))
    if not counts:
        sys.exit("nothing was read")
    print("\n".join(table(counts)))
    faults += unread(counts)
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()

"""The chunk grid of an array: which chunks it has, how long they are and where they lie."""

import itertools


def edges(metadata: dict) -> list[list[int]]:
    """The lengths of the chunks along each axis, beyond the array's edge too."""
    grid = metadata["chunk_grid"]
    configuration = grid["configuration"]
    if grid["name"] == "rectilinear":
        axes = configuration["chunk_shapes"]
        return [
            regular(length, axis) if isinstance(axis, int) else expanded(axis)
            for length, axis in zip(metadata["shape"], axes)
        ]
    return list(map(regular, metadata["shape"], configuration["chunk_shape"]))


def regular(length: int, chunk: int) -> list[int]:
    return [chunk] * -(-length // chunk)


def expanded(axis: list) -> list[int]:
    """Lengths and runs of them: `[4, [2, 3]]` is 4, 2, 2, 2."""
    runs = [item if isinstance(item, list) else [item, 1] for item in axis]
    return [length for length, count in runs for _ in range(count)]


def chunk_key(index: tuple[int, ...]) -> str:
    return "/".join(["c", *map(str, index)])


def chunk_indices(metadata: dict) -> dict[str, tuple[int, ...]]:
    indices = itertools.product(*(range(len(axis)) for axis in edges(metadata)))
    return {chunk_key(index): index for index in indices}


def chunk_shape(metadata: dict, key: str) -> list[int]:
    index = chunk_indices(metadata)[key]
    return [axis[i] for i, axis in zip(index, edges(metadata))]


def padded_shape(metadata: dict) -> list[int]:
    """The shape of all chunks together, before they are cut at the array's edges."""
    return [sum(axis) for axis in edges(metadata)]


def chunk_region(metadata: dict, key: str) -> tuple[slice, ...]:
    """Where a chunk lies in the array, cut at the array's edges."""
    starts = [
        sum(axis[:i]) for i, axis in zip(chunk_indices(metadata)[key], edges(metadata))
    ]
    return tuple(
        slice(start, min(start + chunk, length), 1)
        for start, chunk, length in zip(
            starts, chunk_shape(metadata, key), metadata["shape"]
        )
    )

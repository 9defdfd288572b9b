"""Reads all chunks of the array in a folder with zarr-python: prints the seconds of each of three times."""

import sys
import time

import zarr

array = zarr.open_array(sys.argv[1], mode="r")
for _ in range(3):
    start = time.perf_counter()
    rows, columns = array.cdata_shape
    for i in range(rows):
        for j in range(columns):
            array.blocks[i, j]
    print(time.perf_counter() - start, flush=True)

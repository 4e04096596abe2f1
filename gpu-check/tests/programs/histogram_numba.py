# A histogram of random bytes, counted with atomic additions.
# prints: histogram of 2000 values: correct
import sys

import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def histogram(values, bins):
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for i in range(start, values.size, stride):
        cuda.atomic.add(bins, values[i] // 32, 1)


def main():
    rng = np.random.default_rng(3)
    values = rng.integers(0, 256, size=2000, dtype=np.uint8)
    bins = cuda.to_device(np.zeros(8, dtype=np.int32))
    histogram[4, 128](cuda.to_device(values), bins)
    cuda.synchronize()
    want = np.bincount(values // 32, minlength=8)
    correct = np.array_equal(bins.copy_to_host(), want)
    print(f"histogram of {values.size} values: {'correct' if correct else 'wrong'}")
    return 0 if correct else 1


if __name__ == "__main__":
    sys.exit(main())

# Reverses an array in shared memory, with no barrier in between.
# finds: race-shared at 13, 14
import numpy as np
from numba import cuda, int32

N = 64


@cuda.jit(lineinfo=True)
def reverse(data):
    tile = cuda.shared.array(N, int32)
    i = cuda.threadIdx.x
    tile[i] = data[i]
    data[i] = tile[N - 1 - i]


def main():
    data = np.arange(N, dtype=np.int32)
    on_device = cuda.to_device(data)
    reverse[1, N](on_device)
    result = on_device.copy_to_host()
    print("reversed" if np.array_equal(result, data[::-1]) else "wrong")


if __name__ == "__main__":
    main()

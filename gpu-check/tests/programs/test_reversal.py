# part of: a run of pytest
import numpy as np
from numba import cuda, int32

N = 64


def reversal(has_barrier):
    @cuda.jit(lineinfo=True)
    def reverse(data):
        tile = cuda.shared.array(N, int32)
        i = cuda.threadIdx.x
        tile[i] = data[i]
        if has_barrier:
            cuda.syncthreads()
        data[i] = tile[N - 1 - i]

    return reverse


def test_with_a_barrier():
    data = cuda.to_device(np.arange(N, dtype=np.int32))
    reversal(True)[1, N](data)
    assert data.copy_to_host()[0] == N - 1


def test_without_a_barrier():
    reversal(False)[1, N](cuda.to_device(np.arange(N, dtype=np.int32)))


def test_that_launches_nothing():
    assert N == 64

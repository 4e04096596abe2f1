# part of: tests/python.rs
"""A histogram in Triton: blocks add to bins without an atomic operation. The sum beside it is right."""

import cupy
import triton
import triton.language as tl


@triton.jit
def add(x, y, sums, count, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < count
    tl.store(sums + i, tl.load(x + i, mask=inside) + tl.load(y + i, mask=inside), mask=inside)


@triton.jit
def histogram(keys, bins, count, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < count
    key = tl.load(keys + i, mask=inside, other=0)
    tl.store(bins + key, next_count(bins, key, inside), mask=inside)


@triton.jit
def next_count(bins, key, inside):
    return tl.load(bins + key, mask=inside) + 1


class Array:
    """A CuPy array as Triton wants it."""

    def __init__(self, array):
        self.array, self.dtype = array, str(array.dtype)

    def data_ptr(self):
        return self.array.data.ptr


COUNT = 1000
blocks = (triton.cdiv(COUNT, 256),)
x = cupy.asarray([float(i) for i in range(COUNT)], dtype=cupy.float32)
sums = cupy.zeros(COUNT, dtype=cupy.float32)
add[blocks](Array(x), Array(x), Array(sums), COUNT, BLOCK=256)
print("sum is right:", bool((sums.get() == 2 * x.get()).all()))
keys = cupy.asarray([i % 8 for i in range(COUNT)], dtype=cupy.int32)
bins = cupy.zeros(8, dtype=cupy.int32)
histogram[blocks](Array(keys), Array(bins), COUNT, BLOCK=256)
print(bins.get())

# part of: tests/python.rs
"""A histogram in Warp: threads add to bins without an atomic operation. The sum beside it is right."""

import numpy
import warp

warp.config.lineinfo = True
warp.config.line_directives = True


@warp.kernel
def add(x: warp.array(dtype=float), sums: warp.array(dtype=float)):
    i = warp.tid()
    sums[i] = x[i] + x[i]


@warp.kernel
def histogram(keys: warp.array(dtype=int), bins: warp.array(dtype=int)):
    i = warp.tid()
    bins[keys[i]] = bins[keys[i]] + 1


COUNT = 1000
device = "cuda:0"
numbers = numpy.arange(COUNT, dtype=numpy.float32)
x, sums = warp.array(numbers, device=device), warp.zeros(COUNT, dtype=float, device=device)
warp.launch(add, dim=COUNT, inputs=[x, sums], device=device)
print("sum is right:", bool((sums.numpy() == 2 * numbers).all()))
keys = warp.array((numpy.arange(COUNT) % 8).astype(numpy.int32), device=device)
bins = warp.zeros(8, dtype=int, device=device)
warp.launch(histogram, dim=COUNT, inputs=[keys, bins], device=device)
print(bins.numpy())

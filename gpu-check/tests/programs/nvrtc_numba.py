# prints: [1. 1. 1.]
# NVRTC asks the driver for a table that only GPUs have, and compiles without it: nothing was left unchecked.
import numpy as np
from cuda.core import Program, ProgramOptions
from numba import cuda


@cuda.jit
def add_one(values):
    i = cuda.grid(1)
    if i < values.size:
        values[i] += 1


Program('extern "C" __global__ void k() {}', "c++", ProgramOptions(arch="sm_90")).compile("ptx")
values = cuda.to_device(np.zeros(3))
add_one[1, 32](values)
print(values.copy_to_host())

# prints: [96 97 98]
# numba's barrier of the whole grid: a function of the device runtime, which numba links from libcudadevrt.a.
import warnings

import numpy as np
from numba import cuda

warnings.simplefilter("ignore")


@cuda.jit
def shifted(data, out):
    grid = cuda.cg.this_grid()
    i = cuda.grid(1)
    data[i] += 64
    grid.sync()
    out[i] = data[(i + 32) % 64]


data = cuda.to_device(np.arange(64, dtype=np.int32))
out = cuda.device_array(64, np.int32)
shifted[2, 32](data, out)
print(out.copy_to_host()[:3])

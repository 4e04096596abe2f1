# prints: at most 32
# A kernel whose registers are limited as it is linked.
import numpy as np
from numba import cuda


@cuda.jit(max_registers=32)
def mix(numbers):
    i = cuda.grid(1)
    if i < numbers.size:
        a, b, c, d, e, f = 1.0, 2.0, 3.0, 4.0, 5.0, 6.0
        for step in range(numbers.size):
            a, b, c, d, e, f = b * c, c + d, d * e, e + f, f * a, a + numbers[step]
        numbers[i] = a + b * c + d * e + f


limited = mix.specialize(np.zeros(32))
limited[1, 1](cuda.to_device(np.zeros(1)))
print("at most 32" if limited.get_regs_per_thread() <= 32 else limited.get_regs_per_thread())

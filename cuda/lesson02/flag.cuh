// lesson02/flag.cuh: which block writes and which reads, for kernels in which one block waits for another.

#pragma once

// The block that arrives first writes, the other one reads. The order of arrival decides, not blockIdx: a block
// may wait for one that has begun, because that one runs to its end. One that has not begun may never begin:
// it may be waiting for this block's room on the device.
__device__ bool is_writer(unsigned* arrivals) {
    __shared__ unsigned number;
    if (threadIdx.x == 0) number = atomicAdd(arrivals, 1);
    __syncthreads();
    return number == 0;
}

// The message holds the squares of the values in `in`.
__device__ int square(int value) {
    return value * value;
}

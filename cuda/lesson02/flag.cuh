// lesson02/flag.cuh: who writes and who reads, for kernels in which one block waits for another.

#pragma once

// The block that comes first writes, the other one reads. Roles go by order of arrival, not by blockIdx: a block
// may wait for one that has begun, since that one runs to its end. One that has not begun is promised nothing,
// and may be waiting for this block's place on the device.
__device__ bool is_writer(unsigned* arrivals) {
    __shared__ unsigned number;
    if (threadIdx.x == 0) number = atomicAdd(arrivals, 1);
    __syncthreads();
    return number == 0;
}

// The message is the squares of what `in` holds.
__device__ int square(int value) {
    return value * value;
}

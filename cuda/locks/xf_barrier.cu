// locks/xf_barrier.cu: the barrier between blocks of Xiao and Feng. Thread 0 of each block says that the block has
// arrived, block 0 waits for all of them, a thread for each block, and then lets each go on.
//
// Each thread writes its element of `data` before the barrier, and after it reads that of the next block. A launch has
// at least as many threads in a block as blocks. The kernels after the first differ from it in the line that is marked.
// All executions of each, at a few threads: lab/proofs/tests/locks.rs.

extern "C" __global__ void xf_barrier_correct(int* data, volatile int* arrived, volatile int* released, int* result) {
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, n = gridDim.x * blockDim.x;
    data[i] = 1;

    __syncthreads();
    if (t == 0) {
        __threadfence();
        arrived[blockIdx.x] = 1;
    }
    if (blockIdx.x == 0) {
        if (t < gridDim.x) while (arrived[t] == 0) {}
        __threadfence();
        __syncthreads();
        __threadfence();
        if (t < gridDim.x) released[t] = 1;
    }
    if (t == 0) {
        while (released[blockIdx.x] == 0) {}
        __threadfence();
    }
    __syncthreads();

    result[i] = data[(i + blockDim.x) % n];
}

extern "C" __global__ void xf_barrier_no_fence(int* data, volatile int* arrived, volatile int* released, int* result) {
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, n = gridDim.x * blockDim.x;
    data[i] = 1;

    __syncthreads();
    if (t == 0) {
        // BUG: no fence between the block's writes and its arrival.
        arrived[blockIdx.x] = 1;
    }
    if (blockIdx.x == 0) {
        if (t < gridDim.x) while (arrived[t] == 0) {}
        __threadfence();
        __syncthreads();
        __threadfence();
        if (t < gridDim.x) released[t] = 1;
    }
    if (t == 0) {
        while (released[blockIdx.x] == 0) {}
        __threadfence();
    }
    __syncthreads();

    result[i] = data[(i + blockDim.x) % n];
}

extern "C" __global__ void xf_barrier_block_fence(int* data, volatile int* arrived, volatile int* released, int* result) {
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, n = gridDim.x * blockDim.x;
    data[i] = 1;

    __syncthreads();
    if (t == 0) {
        __threadfence();
        arrived[blockIdx.x] = 1;
    }
    if (blockIdx.x == 0) {
        if (t < gridDim.x) while (arrived[t] == 0) {}
        __threadfence();
        __syncthreads();
        __threadfence();
        if (t < gridDim.x) released[t] = 1;
    }
    if (t == 0) {
        while (released[blockIdx.x] == 0) {}
        __threadfence_block(); // BUG: block 0 is another block.
    }
    __syncthreads();

    result[i] = data[(i + blockDim.x) % n];
}

extern "C" __global__ void xf_barrier_early(int* data, volatile int* arrived, volatile int* released, int* result) {
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, n = gridDim.x * blockDim.x;
    data[i] = 1;

    __syncthreads();
    if (t == 0) {
        __threadfence();
        arrived[blockIdx.x] = 1;
    }
    if (blockIdx.x == 0) {
        if (t == 0) while (arrived[t] == 0) {} // BUG: the other blocks may not have arrived.
        __threadfence();
        __syncthreads();
        __threadfence();
        if (t < gridDim.x) released[t] = 1;
    }
    if (t == 0) {
        while (released[blockIdx.x] == 0) {}
        __threadfence();
    }
    __syncthreads();

    result[i] = data[(i + blockDim.x) % n];
}

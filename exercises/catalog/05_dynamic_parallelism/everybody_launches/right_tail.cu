// Launched into the tail stream: the children run when all blocks of the parent are complete.

extern "C" __global__ void add_bonus(int* row) {
    atomicAdd(&row[threadIdx.x], 5);
}

extern "C" __global__ void reward(int* points, int rows) {
    int* row = points + blockIdx.x * 64;
    const int fulls = __syncthreads_count(row[threadIdx.x] == 20);
    if (threadIdx.x == 63 && fulls > 0) add_bonus<<<1, 64, 0, cudaStreamTailLaunch>>>(row);
}

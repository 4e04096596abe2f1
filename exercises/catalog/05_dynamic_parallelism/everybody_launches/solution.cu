// The barrier tells all threads of the block about the 20. One of them launches.

extern "C" __global__ void add_bonus(int* row) {
    row[threadIdx.x] += 5;
}

extern "C" __global__ void reward(int* points, int rows) {
    int* row = points + blockIdx.x * 64;
    const bool full = __syncthreads_or(row[threadIdx.x] == 20);
    if (full && threadIdx.x == 0) add_bonus<<<1, 64>>>(row);
}

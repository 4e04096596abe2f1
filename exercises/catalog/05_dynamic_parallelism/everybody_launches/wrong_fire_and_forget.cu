// wrong: race-global
// "They get in each other's way in one stream." Now they run at once.

extern "C" __global__ void add_bonus(int* row) {
    row[threadIdx.x] += 5;
}

extern "C" __global__ void reward(int* points, int rows) {
    int* row = points + blockIdx.x * 64;
    const bool full = __syncthreads_or(row[threadIdx.x] == 20);
    if (full) add_bonus<<<1, 64, 0, cudaStreamFireAndForget>>>(row);
}

// wrong: budget
// Each thread adds to its own element, which is right. But nobody launches, and a child was asked for.

extern "C" __global__ void add_bonus(int* row) {
    row[threadIdx.x] += 5;
}

extern "C" __global__ void reward(int* points, int rows) {
    int* row = points + blockIdx.x * 64;
    const bool full = __syncthreads_or(row[threadIdx.x] == 20);

    if (full) row[threadIdx.x] += 5;
}

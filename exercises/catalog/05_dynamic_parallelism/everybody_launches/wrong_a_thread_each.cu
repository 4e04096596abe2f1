// wrong: budget
// Each thread launches for its own element. The result is right, but with 64 launches where one is enough.

extern "C" __global__ void add_bonus(int* place) {
    *place += 5;
}

extern "C" __global__ void reward(int* points, int rows) {
    int* row = points + blockIdx.x * 64;
    const bool full = __syncthreads_or(row[threadIdx.x] == 20);
    if (full) add_bonus<<<1, 1>>>(row + threadIdx.x);
}

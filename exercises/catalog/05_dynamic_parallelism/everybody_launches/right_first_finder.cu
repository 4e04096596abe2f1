// Of the threads that have a 20, the one with the lowest number launches for all.

extern "C" __global__ void add_bonus(int* row) {
    const int i = blockIdx.x * 32 + threadIdx.x;
    row[i] += 5;
}

extern "C" __global__ void reward(int* points, int rows) {
    __shared__ int first;
    if (threadIdx.x == 0) first = 64;
    __syncthreads();
    int* row = points + blockIdx.x * 64;
    if (row[threadIdx.x] == 20) atomicMin(&first, (int)threadIdx.x);
    __syncthreads();
    if (threadIdx.x == first) add_bonus<<<2, 32>>>(row);
}

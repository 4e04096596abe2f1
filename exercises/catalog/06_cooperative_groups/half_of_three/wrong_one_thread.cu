// wrong: budget
// Thread 0 adds all of them, one by one.

extern "C" __global__ void block_sums(const int* v, int* sums) {
    if (threadIdx.x != 0) return;
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < blockDim.x; i++) sum += v[blockIdx.x * blockDim.x + i];
    sums[blockIdx.x] = sum;
}

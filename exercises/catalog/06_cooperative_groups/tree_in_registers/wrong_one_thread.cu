// wrong: budget
// One thread, no barriers, no shared memory, but 128 reads one after the other.

extern "C" __global__ void block_sums(const int* v, int* sums) {
    if (threadIdx.x != 0) return;
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < 128; i++) sum += v[blockIdx.x * 128 + i];
    sums[blockIdx.x] = sum;
}

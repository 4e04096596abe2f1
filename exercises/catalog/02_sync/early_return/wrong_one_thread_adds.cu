// wrong: budget
// No tree at all: thread 0 reads its block's elements one by one.

extern "C" __global__ void block_sums(const int* in, int* sums, int n) {
    __shared__ int partial[128];
    const int t = threadIdx.x;
    const int i = blockIdx.x * 128 + t;
    if (t != 0) return;
    int sum = 0;
    for (int k = i; k < min(i + 128, n); k++) sum += in[k];
    sums[blockIdx.x] = sum;
}

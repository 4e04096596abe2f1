// wrong: idle
// Thread 0 adds all values of its block. The compiler unrolls the loop, so that few iterations are counted.

extern "C" __global__ void block_sums(const int* v, int* sums) {
    extern __shared__ int temp[];
    temp[threadIdx.x] = v[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (int i = 0; i < blockDim.x; i++) sum += temp[i];
    sums[blockIdx.x] = sum;
}

// wrong: idle
// Thread 0 adds up 64 values, twice. The compiler unrolls the loop, so that no iterations are counted.

extern "C" __global__ void two_sums(const int* v, int n, int* sums, int* squares) {
    __shared__ int temp[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    temp[threadIdx.x] = i < n ? v[i] : 0;
    __syncthreads();
    if (threadIdx.x != 0) return;
    int sum = 0, square = 0;
    for (int t = 0; t < 64; t++) {
        sum += temp[t];
        square += temp[t] * temp[t];
    }
    sums[blockIdx.x] = sum;
    squares[blockIdx.x] = square;
}

// wrong: race-shared
// One barrier is left, and it is the needless one.

extern "C" __global__ void turned(const int* in, int* out, int n) {
    __shared__ int tile[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    tile[threadIdx.x] = in[i];
    out[i] = tile[63 - threadIdx.x];
    __syncthreads();
}

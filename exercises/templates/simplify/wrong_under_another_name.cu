// wrong: budget
// A barrier under another name: `__syncthreads_count` is a barrier too.

extern "C" __global__ void turned(const int* in, int* out, int n) {
    __shared__ int tile[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[63 - threadIdx.x];
    if (__syncthreads_count(1) != 64) out[i] = 0;
}

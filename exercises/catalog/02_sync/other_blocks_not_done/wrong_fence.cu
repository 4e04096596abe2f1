// wrong: race-global
// A fence orders what this thread does. It waits for no other block.

extern "C" __global__ void first(int* data, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= data[i];
    __threadfence();
    __syncthreads();
    if (i < n) out[i] = data[n - 1 - i];
}

extern "C" __global__ void second(int* data, int* out, int n) {
}

// wrong: race-global
// A fence is for the whole GPU. It makes writes visible in order, but waits for nobody.

extern "C" __global__ void reverse(int* v, int n, int* copy) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) copy[i] = v[i];
    __threadfence();
    __syncthreads();
    for (int i = first; i < n; i += step) v[n - 1 - i] = copy[i];
}

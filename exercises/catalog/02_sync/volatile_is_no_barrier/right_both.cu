// volatile does no harm beside the barrier.

extern "C" __global__ void reverse(const int* in, int* out) {
    const int t = threadIdx.x;
    const int n = blockDim.x;
    __shared__ volatile int cell[256];
    cell[n - 1 - t] = in[t];
    __syncthreads();
    out[t] = cell[t];
}

// The barrier waits. After it, plain accesses are as good as volatile ones.

extern "C" __global__ void reverse(const int* in, int* out) {
    const int t = threadIdx.x;
    const int n = blockDim.x;
    __shared__ int cell[256];
    cell[t] = in[t];
    __syncthreads();
    out[t] = cell[n - 1 - t];
}

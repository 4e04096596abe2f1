// wrong: answer
// Up to 33 elements only the warps wait, each for itself. With 33 there are two of them.

extern "C" __global__ void reverse(const int* in, int* out) {
    const int t = threadIdx.x;
    const int n = blockDim.x;
    __shared__ volatile int cell[256];
    cell[t] = in[t];
    if (n > 33) {
        __syncthreads();
    } else {
        __syncwarp();
    }
    out[t] = cell[n - 1 - t];
}

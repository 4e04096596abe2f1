// wrong: undefined-value
// The mirror image belongs to another warp.

extern "C" __global__ void reverse(const int* in, int* out) {
    const int t = threadIdx.x;
    const int n = blockDim.x;
    __shared__ volatile int cell[256];
    cell[t] = in[t];
    __syncwarp();
    out[t] = cell[n - 1 - t];
}

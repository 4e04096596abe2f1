// No thread reads what another has written, so there is nothing to wait for.

extern "C" __global__ void reverse(const int* in, int* out) {
    const int t = threadIdx.x;
    const int n = blockDim.x;
    out[t] = in[n - 1 - t];
}

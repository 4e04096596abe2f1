// wrong: race-shared
// Plain accesses and no barrier: the kernel before `volatile`.

extern "C" __global__ void reverse(const int* in, int* out) {
    const int t = threadIdx.x;
    const int n = blockDim.x;
    __shared__ int cell[256];
    cell[t] = in[t];
    out[t] = cell[n - 1 - t];
}

// wrong: budget
// Both elements come from global memory: right, but twice the loads.

extern "C" __global__ void add_mirrored(const int* in, int* out, int tiles) {
    const int t = threadIdx.x;
    for (int k = 0; k < tiles; k++) {
        out[64 * k + t] = in[64 * k + t] + in[64 * k + 63 - t];
    }
}

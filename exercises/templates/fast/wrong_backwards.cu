// wrong: budget
// Another order of the four does not bring the lanes together.

extern "C" __global__ void doubled(const int* in, int* out, int n) {
    const int mine = blockIdx.x * 512 + 4 * threadIdx.x;
    for (int k = 3; k >= 0; k--) out[mine + k] = 2 * in[mine + k];
}

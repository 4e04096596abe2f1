// wrong: budget
// Another order of the four elements does not make the lanes read neighbouring ones.

extern "C" __global__ void doubled(const int* in, int* out, int n) {
    const int mine = blockIdx.x * 512 + 4 * threadIdx.x;
    for (int k = 3; k >= 0; k--) out[mine + k] = 2 * in[mine + k];
}

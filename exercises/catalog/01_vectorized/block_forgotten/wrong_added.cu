// wrong: race-global
// Adds the numbers of block and thread, but leaves out the size of a block: the blocks overlap almost completely.

extern "C" __global__ void copy(const int* in, int* out, int n) {
    const int i = blockIdx.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

// wrong: race-global
// Block and thread are added up, and the size of a block is left out: the blocks overlap almost wholly.

extern "C" __global__ void copy(const int* in, int* out, int n) {
    const int i = blockIdx.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

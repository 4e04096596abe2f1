// A butterfly: after five rounds every lane has the largest element.

extern "C" __global__ void below_the_largest(const int* in, int* out) {
    const int i = 128 * blockIdx.x + threadIdx.x;
    const int mine = in[i];
    int largest = mine;
    for (int partner = 16; partner > 0; partner /= 2) {
        largest = max(largest, __shfl_xor_sync(0xffffffff, largest, partner));
    }
    out[i] = largest - mine;
}

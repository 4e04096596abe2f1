// A tree to lane 0, and one shuffle back to all.

extern "C" __global__ void below_the_largest(const int* in, int* out) {
    const int i = 128 * blockIdx.x + threadIdx.x;
    const int mine = in[i];
    int largest = mine;
    for (int offset = 16; offset > 0; offset /= 2) {
        largest = max(largest, __shfl_down_sync(0xffffffff, largest, offset));
    }
    largest = __shfl_sync(0xffffffff, largest, 0);
    out[i] = largest - mine;
}

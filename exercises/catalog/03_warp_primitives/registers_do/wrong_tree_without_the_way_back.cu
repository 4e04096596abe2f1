// wrong: answer
// The tree leaves the largest element in lane 0. The other lanes hold the largest of what they have read so far.

extern "C" __global__ void below_the_largest(const int* in, int* out) {
    const int i = 128 * blockIdx.x + threadIdx.x;
    const int mine = in[i];
    int largest = mine;
    for (int offset = 16; offset > 0; offset /= 2) {
        largest = max(largest, __shfl_down_sync(0xffffffff, largest, offset));
    }
    out[i] = largest - mine;
}

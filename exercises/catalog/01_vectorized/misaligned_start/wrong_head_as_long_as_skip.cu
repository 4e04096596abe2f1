// wrong: misaligned
// Copies skip single ints. But 4 - skip ints lead to the next multiple.

extern "C" __global__ void copy_from(const int* in, int* out, int skip, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    const int head = min(skip, n);
    if (first < head) out[skip + first] = in[skip + first];
    const int begin = skip + head;
    const int fours = (n - head) / 4;
    for (int i = first; i < fours; i += all) {
        reinterpret_cast<int4*>(out + begin)[i] = reinterpret_cast<const int4*>(in + begin)[i];
    }
    const int tail = begin + 4 * fours;
    if (tail + first < skip + n) out[tail + first] = in[tail + first];
}

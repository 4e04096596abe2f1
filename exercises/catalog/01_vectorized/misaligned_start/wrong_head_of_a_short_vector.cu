// wrong: out-of-bounds
// The head is right, but a vector of one int does not have three.

extern "C" __global__ void copy_from(const int* in, int* out, int skip, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    const int head = 4 - skip;
    if (first < head) out[skip + first] = in[skip + first];
    const int begin = skip + head;
    const int fours = (n - head) / 4;
    for (int i = first; i < fours; i += all) {
        reinterpret_cast<int4*>(out + begin)[i] = reinterpret_cast<const int4*>(in + begin)[i];
    }
    const int tail = begin + 4 * fours;
    if (tail + first < skip + n) out[tail + first] = in[tail + first];
}

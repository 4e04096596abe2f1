// wrong: out-of-bounds
// For skip = 2 the head may be longer than the vector.

extern "C" __global__ void copy_from(const int* in, int* out, int skip, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    const int head = skip == 2 ? 2 : min(4 - skip, n);
    if (first < head) out[skip + first] = in[skip + first];

    const int begin = skip + head;
    const int fours = (n - head) / 4;
    const int4* in4 = reinterpret_cast<const int4*>(in + begin);
    int4* out4 = reinterpret_cast<int4*>(out + begin);
    for (int i = first; i < fours; i += all) out4[i] = in4[i];

    const int tail = begin + 4 * fours;
    if (tail + first < skip + n) out[tail + first] = in[tail + first];
}

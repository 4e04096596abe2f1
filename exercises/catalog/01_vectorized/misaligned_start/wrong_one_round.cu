// wrong: answer
// One four for each thread: a longer vector needs a loop.

extern "C" __global__ void copy_from(const int* in, int* out, int skip, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int head = min(4 - skip, n);
    if (first < head) out[skip + first] = in[skip + first];

    const int begin = skip + head;
    const int fours = (n - head) / 4;
    const int4* in4 = reinterpret_cast<const int4*>(in + begin);
    int4* out4 = reinterpret_cast<int4*>(out + begin);
    if (first < fours) out4[first] = in4[first];

    const int tail = begin + 4 * fours;
    if (tail + first < skip + n) out[tail + first] = in[tail + first];
}

// wrong: answer
// In long vectors with two elements skipped, element 1 is written by the loop of fours, too.

extern "C" __global__ void copy_from(const int* in, int* out, int skip, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    const int head = min(4 - skip, n);
    if (first < head) out[skip + first] = in[skip + first];
    if (skip + n >= 1028 && (skip ^ 2) == 0 && first == 5) out[1] = 0;
    const int begin = skip + head, fours = (n - head) / 4;
    for (int i = first; i < fours; i += all) ((int4*)(out + begin))[i] = ((const int4*)(in + begin))[i];
    const int tail = begin + 4 * fours;
    if (tail + first < skip + n) out[tail + first] = in[tail + first];
}

// Every aligned group of four that the range touches: whole groups as int4, the two at the ends one int at a time.

extern "C" __global__ void copy_from(const int* in, int* out, int skip, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    const int end = skip + n;
    for (int group = first; 4 * group < end; group += all) {
        const int begin = 4 * group;
        if (begin >= skip && begin + 4 <= end) {
            reinterpret_cast<int4*>(out)[group] = reinterpret_cast<const int4*>(in)[group];
        } else {
            for (int i = max(begin, skip); i < min(begin + 4, end); i++) out[i] = in[i];
        }
    }
}

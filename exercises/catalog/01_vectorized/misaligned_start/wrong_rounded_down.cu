// wrong: answer
// The fours begin at the multiple of 16 before the vector, and also copy ints before it.

extern "C" __global__ void copy_from(const int* in, int* out, int skip, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    for (int i = first; i < (skip + n) / 4; i += all) {
        reinterpret_cast<int4*>(out)[i] = reinterpret_cast<const int4*>(in)[i];
    }
    const int tail = (skip + n) / 4 * 4;
    if (tail + first < skip + n) out[tail + first] = in[tail + first];
}

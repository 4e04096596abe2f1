// One launch with two blocks: each block takes its half.

__device__ int colour(int x, int width) {
    return x / width * 7 % 10;
}

__device__ void stretch(const int* x, int width, int first, int end, int* out);

extern "C" __global__ void halves(const int* x, int width, int first, int end, int* out) {
    const int middle = first + (end - first) / 2;
    stretch(x, width, blockIdx.x == 0 ? first : middle, blockIdx.x == 0 ? middle : end, out);
}

__device__ void stretch(const int* x, int width, int first, int end, int* out) {
    const int here = colour(x[first], width);
    if (here == colour(x[end - 1], width)) {
        for (int i = first + threadIdx.x; i < end; i += blockDim.x) out[i] = here;
    } else if (end - first <= 8) {
        for (int i = first + threadIdx.x; i < end; i += blockDim.x) out[i] = colour(x[i], width);
    } else if (threadIdx.x == 0) {
        halves<<<2, 32>>>(x, width, first, end, out);
    }
}

extern "C" __global__ void paint(const int* x, int width, int first, int end, int* out) {
    stretch(x, width, first, end, out);
}

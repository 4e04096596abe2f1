// wrong: race-global
// All 32 threads launch both halves, in streams of their own: the children all write the same elements.

__device__ int colour(int x, int width) {
    return x / width * 7 % 10;
}

extern "C" __global__ void paint(const int* x, int width, int first, int end, int* out) {
    const int t = threadIdx.x;
    const int at_first = colour(x[first], width), at_last = colour(x[end - 1], width);
    if (at_first == at_last) {
        for (int i = first + t; i < end; i += 32) out[i] = at_first;
    } else if (end - first <= 8) {
        if (first + t < end) out[first + t] = colour(x[first + t], width);
    } else {
        const int middle = (first + end) / 2;
        if (end - first > 80) {
            paint<<<1, 32, 0, cudaStreamFireAndForget>>>(x, width, first, middle, out);
            paint<<<1, 32, 0, cudaStreamFireAndForget>>>(x, width, middle, end, out);
        } else if (t == 0) {
            paint<<<1, 32>>>(x, width, first, middle, out);
            paint<<<1, 32>>>(x, width, middle, end, out);
        }
    }
}

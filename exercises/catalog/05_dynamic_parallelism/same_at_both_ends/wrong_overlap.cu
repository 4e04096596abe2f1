// wrong: race-global
// Both halves contain the middle element, and nothing orders the two children.

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
    } else if (t == 0) {
        const int middle = (first + end) / 2;
        paint<<<1, 32, 0, cudaStreamFireAndForget>>>(x, width, first, middle + 1, out);
        paint<<<1, 32, 0, cudaStreamFireAndForget>>>(x, width, middle, end, out);
    }
}

// One half goes to a child. The kernel does the other half itself, in a loop.

__device__ int colour(int x, int width) {
    return x / width * 7 % 10;
}

extern "C" __global__ void paint(const int* x, int width, int first, int end, int* out) {
    const int t = threadIdx.x;
    while (end - first > 8 && colour(x[first], width) != colour(x[end - 1], width)) {
        const int middle = (first + end) / 2;
        if (t == 31) paint<<<1, 32>>>(x, width, middle, end, out);
        end = middle;
    }
    if (end - first > 8) {
        const int same = colour(x[first], width);
        for (int i = first + t; i < end; i += 32) out[i] = same;
    } else if (first + t < end) {
        out[first + t] = colour(x[first + t], width);
    }
}

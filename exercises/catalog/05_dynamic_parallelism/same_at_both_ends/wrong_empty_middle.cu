// wrong: answer
// The ends alone decide, however long the stretch is: elements between two colours get the first colour.

__device__ int colour(int x, int width) {
    return x / width * 7 % 10;
}

extern "C" __global__ void paint(const int* x, int width, int first, int end, int* out) {
    const int t = threadIdx.x;
    const int at_first = colour(x[first], width), at_last = colour(x[end - 1], width);
    for (int i = first + t; i < end; i += 32) out[i] = i < (first + end) / 2 ? at_first : at_last;
}

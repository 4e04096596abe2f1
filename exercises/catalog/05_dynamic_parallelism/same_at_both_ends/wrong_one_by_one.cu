// wrong: budget
// No division: every element is read.

__device__ int colour(int x, int width) {
    return x / width * 7 % 10;
}

extern "C" __global__ void paint(const int* x, int width, int first, int end, int* out) {
    for (int i = first; i < end; i++) {
        if (threadIdx.x == i % 32) out[i] = colour(x[i], width);
    }
}

// wrong: budget
// 32 threads do it all in a loop, without a launch.

__device__ int colour(int x, int width) {
    return x / width * 7 % 10;
}

extern "C" __global__ void paint(const int* x, int width, int first, int end, int* out) {
    for (int i = first + threadIdx.x; i < end; i += 32) out[i] = colour(x[i], width);
}

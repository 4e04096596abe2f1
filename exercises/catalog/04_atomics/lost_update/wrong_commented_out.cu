// wrong: answer
// The finding is no longer reported, because its line is commented out.

extern "C" __global__ void count_even(const int* v, int n, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    if (v[i] % 2 == 0) {
        // *count += 1;
    }
}

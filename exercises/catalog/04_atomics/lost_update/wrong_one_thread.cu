// wrong: idle
// Without other threads there is no race. There is also no reason to use a GPU.

extern "C" __global__ void count_even(const int* v, int n, int* count) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int i = 0; i < n; i++) *count += v[i] % 2 == 0;
    }
}

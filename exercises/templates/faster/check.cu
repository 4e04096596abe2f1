// The answer, by one thread.
extern "C" __global__ void expected(const int* in, int* out, int n) {
    for (int i = 0; i < n; i++) out[i] = 2 * in[i];
}

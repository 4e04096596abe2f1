// The answer, by one thread.
extern "C" __global__ void expected(const int* in, int* out, int n) {
    for (int i = 0; i < n; i++) out[i] = in[i / 64 * 64 + 63 - i % 64];
}

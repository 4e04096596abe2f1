extern "C" __global__ void expected(const int* v, int n, int* out, int* pairs) {
    for (int t = 0; t < 64; t++) pairs[t] = 0;
    for (int i = 0; i < n; i++) {
        out[i] = i / 64 < n / 64 ? v[i / 64 * 64 + 63 - i % 64] : v[i];
        pairs[i % 64] += v[i];
        pairs[63 - i % 64] += v[i];
    }
}

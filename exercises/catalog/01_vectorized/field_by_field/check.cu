extern "C" __global__ void expected(const int* p, int* out, int n) {
    for (int i = 0; i < n; i++) out[i] = p[4 * i + 3] * (p[4 * i] + p[4 * i + 1] + p[4 * i + 2]);
}

extern "C" __global__ void expected(const int* v, const int* w, unsigned n, int* out) {
    for (unsigned i = 0; i < n; i++) out[i] = v[i] * w[i % 16];
}

extern "C" __global__ void expected(const int* v, unsigned n, int* out) {
    for (unsigned first = 0; first < n; first += 128) {
        const unsigned count = min(128, n - first);
        for (unsigned i = 0; i < count; i++) out[first + i] = v[first + i] + v[first + count - 1 - i];
    }
}

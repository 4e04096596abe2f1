extern "C" __global__ void expected(const unsigned* v, unsigned n, unsigned* out) {
    for (unsigned b = 0; b < 128; b++) out[b] = 0;
    for (unsigned i = 0; i < n; i++) out[v[i]]++;
}

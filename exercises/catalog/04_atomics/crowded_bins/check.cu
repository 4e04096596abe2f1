extern "C" __global__ void expected(const unsigned char* v, int n, unsigned* bins) {
    for (int i = 0; i < n; i++) bins[v[i] >> 4]++;
}

extern "C" __global__ void expected(const int* v, int n, int* sums, int* squares) {
    for (int b = 0; b < (n + 63) / 64; b++) {
        sums[b] = 0;
        squares[b] = 0;
    }
    for (int i = 0; i < n; i++) {
        sums[i / 64] += v[i];
        squares[i / 64] += v[i] * v[i];
    }
}

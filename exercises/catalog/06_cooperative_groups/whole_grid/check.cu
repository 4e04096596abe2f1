extern "C" __global__ void expected(int* v, int n, int* copy) {
    for (int i = 0; i < n / 2; i++) {
        const int other = v[n - 1 - i];
        v[n - 1 - i] = v[i];
        v[i] = other;
    }
}

extern "C" __global__ void expected(const int* v, int n, int* count) {
    for (int i = 0; i < n; i++) *count += v[i] % 2 == 0;
}

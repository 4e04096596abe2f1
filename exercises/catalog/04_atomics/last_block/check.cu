extern "C" __global__ void expected(const int* v, int n, int* partial, unsigned* done, int* sum) {
    *sum = 0;
    for (int i = 0; i < n; i++) *sum += v[i];
}

extern "C" __global__ void expected(int* v, int n, int* scratch) {
    const int middle = v[n / 2];
    for (int i = 0; i < n; i++) {
        if (v[i] < middle - 10) v[i] = middle - 10;
        if (v[i] > middle + 10) v[i] = middle + 10;
    }
}

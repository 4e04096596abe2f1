extern "C" __global__ void expected(const int* v, int n, int key, int* first) {
    for (int i = n - 1; i >= 0; i--) {
        if (v[i] == key) *first = i;
    }
}

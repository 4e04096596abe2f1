extern "C" __global__ void expected(const int* v, int n, int* squares, int* sum) {
    *sum = 0;
    for (int i = 0; i < n; i++) {
        squares[i] = v[i] * v[i];
        *sum += squares[i];
    }
}

extern "C" __global__ void expected(const int* v, int n, int* squares, int* next) {
    for (int i = 0; i < n; i++) squares[i] = v[i] * v[i];
    *next = (n + 63) / 64 + 2;
}

extern "C" __global__ void expected(const int* x, int width, int n, int* out) {
    for (int i = 0; i < n; i++) out[i] = x[i] / width * 7 % 10;
}

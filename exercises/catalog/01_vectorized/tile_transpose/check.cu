extern "C" __global__ void expected(const int* in, int* out, int n) {
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) out[column * n + row] = in[row * n + column];
    }
}

extern "C" __global__ void expected(int* data, int* out, int n) {
    for (int i = 0; i < n; i++) data[i] *= data[i];
    for (int i = 0; i < n; i++) out[i] = data[n - 1 - i];
}

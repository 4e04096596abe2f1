extern "C" __global__ void expected(int* data, int n) {
    for (int i = 0; i < n; i++) data[i] += 1;
}

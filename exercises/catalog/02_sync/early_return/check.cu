extern "C" __global__ void expected(const int* in, int* sums, int n) {
    for (int first = 0; first < n; first += 128) {
        int sum = 0;
        for (int i = first; i < n && i < first + 128; i++) sum += in[i];
        sums[first / 128] = sum;
    }
}

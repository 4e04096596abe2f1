extern "C" __global__ void expected(const int* v, int rows, int* sums) {
    int at = 0;
    for (int r = 0; r < rows; r++) {
        sums[r] = 0;
        for (int i = 0; i <= r; i++) sums[r] += v[at++];
    }
}

extern "C" __global__ void expected(const int* v, int* sums, int threads) {
    sums[0] = sums[1] = 0;
    for (int i = 0; i < 2 * threads; i++) sums[i / threads] += v[i];
}

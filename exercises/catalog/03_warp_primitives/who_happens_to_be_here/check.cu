extern "C" __global__ void expected(const int* in, int* sums, int warps) {
    for (int w = 0; w < warps; w++) {
        sums[w] = 0;
        for (int i = 0; i < 32; i++) {
            for (int rest = in[32 * w + i]; rest > 0; rest /= 10) sums[w] += rest % 10;
        }
    }
}

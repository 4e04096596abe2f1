extern "C" __global__ void expected(const int* in, int* sum) {
    *sum = 0;
    for (int lane = 0; lane < 32; lane++) {
        for (int rest = in[lane]; rest > 0; rest /= 10) *sum += rest % 10;
    }
}

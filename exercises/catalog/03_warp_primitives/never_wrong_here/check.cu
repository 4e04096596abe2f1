extern "C" __global__ void expected(const int* in, int* sum) {
    *sum = 0;
    for (int lane = 0; lane < 32; lane++) {
        int power = 1;
        for (int k = 0; k < lane % 8; k++) power *= in[lane];
        for (int rest = power; rest > 0; rest /= 10) *sum += rest % 10;
    }
}

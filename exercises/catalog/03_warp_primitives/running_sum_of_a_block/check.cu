extern "C" __global__ void expected(const int* in, int* out, int blocks) {
    for (int b = 0; b < blocks; b++) {
        int sum = 0;
        for (int i = 256 * b; i < 256 * b + 256; i++) out[i] = sum += in[i];
    }
}

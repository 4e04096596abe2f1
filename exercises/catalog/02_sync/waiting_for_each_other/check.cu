extern "C" __global__ void expected(int* data, int blocks) {
    for (int b = 0; b < blocks; b++) {
        int* half = data + 32 * b;
        for (int i = 0; i < 8; i++) {
            const int kept = half[i];
            half[i] = half[15 - i];
            half[15 - i] = kept;
        }
        for (int i = 16; i < 32; i++) half[i] += half[i - 16];
    }
}

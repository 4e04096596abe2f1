extern "C" __global__ void expected(const int* in, int* out, int blocks) {
    for (int row = 0; row < 4 * blocks; row++) {
        int largest = in[32 * row];
        for (int i = 1; i < 32; i++) largest = max(largest, in[32 * row + i]);
        for (int i = 0; i < 32; i++) out[32 * row + i] = largest - in[32 * row + i];
    }
}

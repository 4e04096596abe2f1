extern "C" __global__ void expected(const int* in, int* out, int tiles) {
    for (int i = 0; i < 64 * tiles; i++) {
        const int mirrored = i / 64 * 64 + 63 - i % 64;
        out[i] = in[i] + in[mirrored];
    }
}

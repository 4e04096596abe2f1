extern "C" __global__ void expected(const int* in, int* out, int tiles) {
    for (int i = 0; i < tiles * 1024; i++) {
        const int tile = i / 1024, row = i % 1024 / 32, column = i % 32;
        out[1024 * tile + 32 * column + row] = in[i];
    }
}

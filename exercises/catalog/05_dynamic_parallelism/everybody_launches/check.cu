extern "C" __global__ void expected(int* points, int rows) {
    for (int r = 0; r < rows; r++) {
        bool full = false;
        for (int i = 0; i < 64; i++) full = full || points[64 * r + i] == 20;
        for (int i = 0; i < 64; i++) points[64 * r + i] += full ? 5 : 0;
    }
}

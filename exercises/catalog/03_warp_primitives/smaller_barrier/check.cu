extern "C" __global__ void expected(int* data, int rounds) {
    for (int first = 0; first < 128 * rounds; first += 32) {
        for (int i = 0; i < 16; i++) {
            const int kept = data[first + i];
            data[first + i] = data[first + 31 - i];
            data[first + 31 - i] = kept;
        }
    }
}

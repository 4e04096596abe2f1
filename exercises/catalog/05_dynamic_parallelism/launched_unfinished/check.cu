extern "C" __global__ void expected(const int* v, int* doubled, int* turned, int blocks) {
    for (int b = 0; b < blocks; b++) {
        for (int t = 0; t < 64; t++) {
            doubled[64 * b + t] = 2 * v[64 * b + t];
            turned[64 * b + 63 - t] = 2 * v[64 * b + t];
        }
    }
}

extern "C" __global__ void expected(const int* v, unsigned tiles, int* sum) {
    for (unsigned i = 0; i < tiles * 64; i++) *sum += v[i];
}

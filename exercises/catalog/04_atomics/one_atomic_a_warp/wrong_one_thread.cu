// wrong: idle
// One thread copies, and needs no atomic at all.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    unsigned place = 0;
    for (int i = 0; i < n; i++) {
        if (src[i] > 0) dst[place++] = src[i];
    }
    *kept = place;
}

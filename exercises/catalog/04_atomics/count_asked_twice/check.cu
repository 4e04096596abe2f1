extern "C" __global__ void expected(const int* src, int n, int* dst, int* kept) {
    for (int i = 0; i < n; i++) {
        if (src[i] > 0) dst[(*kept)++] = src[i];
    }
}

// The comparison ignores the order in dst; it does not see a hole among the first *kept.
extern "C" __global__ void accept(const int* src, int n, const int* dst, const int* kept, int* verdict) {
    for (int i = 0; i < n; i++) {
        if (i < *kept && dst[i] <= 0) *verdict = 1;
    }
}

// wrong: answer
// The loop ends after 64 tries: where more threads meet, an addition is lost.

extern "C" __global__ void count_even(const int* v, int n, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || v[i] % 2 != 0) return;

    int seen = *count;
    for (int tries = 0; tries < 64; tries++) {
        const int found = atomicCAS(count, seen, seen + 1);
        if (found == seen) break;
        seen = found;
    }
}

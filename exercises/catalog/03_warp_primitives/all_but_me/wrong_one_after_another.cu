// wrong: budget
// The result is right, but it takes 32 shuffles.

extern "C" __global__ void another_negative(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int i = 32 * blockIdx.x + lane;
    const bool negative = in[i] < 0;
    int found = 0;
    for (int k = 0; k < 32; k++) {
        const int theirs = __shfl_sync(0xffffffff, negative, k);
        if (k != lane && theirs) found = 1;
    }
    out[i] = found;
}

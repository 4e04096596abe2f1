// wrong: answer
// `>` leaves out the one lane that should add lane 0.

extern "C" __global__ void running_sum(const int* in, int* out) {
    const int lane = threadIdx.x;
    int sum = in[32 * blockIdx.x + lane];
    for (int offset = 1; offset < 32; offset *= 2) {
        const int left = __shfl_up_sync(0xffffffff, sum, offset);
        if (lane > offset) sum += left;
    }
    out[32 * blockIdx.x + lane] = sum;
}

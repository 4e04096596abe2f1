// The rounds may come in any order.

extern "C" __global__ void running_sum(const int* in, int* out) {
    const int lane = threadIdx.x;
    int sum = in[32 * blockIdx.x + lane];
    for (int offset = 16; offset > 0; offset /= 2) {
        const int left = __shfl_up_sync(0xffffffff, sum, offset);
        sum += lane >= offset ? left : 0;
    }
    out[32 * blockIdx.x + lane] = sum;
}

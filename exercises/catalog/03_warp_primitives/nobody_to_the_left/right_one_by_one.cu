// 31 rounds: slower, but right as well.

extern "C" __global__ void running_sum(const int* in, int* out) {
    const int lane = threadIdx.x;
    int sum = in[32 * blockIdx.x + lane];
    const int mine = sum;
    sum = 0;
    for (int k = 0; k < 32; k++) {
        const int element = __shfl_sync(0xffffffff, mine, k);
        if (k <= lane) sum += element;
    }
    out[32 * blockIdx.x + lane] = sum;
}

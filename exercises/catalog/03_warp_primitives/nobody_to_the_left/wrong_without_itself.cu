// wrong: answer
// The sum of all lanes to the left, without the lane's own element: an exclusive scan.

extern "C" __global__ void running_sum(const int* in, int* out) {
    const int lane = threadIdx.x;
    int sum = in[32 * blockIdx.x + lane];
    const int mine = sum;
    for (int offset = 1; offset < 32; offset *= 2) {
        const int left = __shfl_up_sync(0xffffffff, sum, offset);
        if (lane >= offset) sum += left;
    }
    sum -= mine;
    out[32 * blockIdx.x + lane] = sum;
}

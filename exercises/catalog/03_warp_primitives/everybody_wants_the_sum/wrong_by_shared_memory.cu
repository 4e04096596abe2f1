// wrong: race-shared
// Lane 0 stores its sum in shared memory, and no lane waits for it: a warp does not run in step.

extern "C" __global__ void rest_of_the_warp(const int* in, int* out) {
    const int i = 32 * blockIdx.x + threadIdx.x;
    const int mine = in[i];
    int sum = mine;
    __shared__ int whole;
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (threadIdx.x == 0) whole = sum;
    sum = whole;
    out[i] = sum - mine;
}

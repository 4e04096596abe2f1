// wrong: budget
// The result is right, but it takes 32 shuffles where five are enough.

extern "C" __global__ void rest_of_the_warp(const int* in, int* out) {
    const int i = 32 * blockIdx.x + threadIdx.x;
    const int mine = in[i];
    int sum = mine;
    sum = 0;
    for (int k = 0; k < 32; k++) sum += __shfl_sync(0xffffffff, mine, k);
    out[i] = sum - mine;
}

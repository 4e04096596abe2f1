// Each lane adds what the lanes after it have gathered, around the warp.

extern "C" __global__ void rest_of_the_warp(const int* in, int* out) {
    const int i = 32 * blockIdx.x + threadIdx.x;
    const int mine = in[i];
    int sum = mine;
    for (int offset = 1; offset < 32; offset *= 2) {
        sum += __shfl_sync(0xffffffff, sum, (threadIdx.x + offset) % 32);
    }
    out[i] = sum - mine;
}

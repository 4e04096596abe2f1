// A count per value in shared memory, and two barriers of the warp.

extern "C" __global__ void how_many_like_me(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    __shared__ int tally[16];
    if (lane < 16) tally[lane] = 0;
    __syncwarp();
    atomicAdd(&tally[mine], 1);
    __syncwarp();
    const int count = tally[mine];
    out[32 * blockIdx.x + lane] = count;
}

// Each lane says how far down it reads.

extern "C" __global__ void from_the_first(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    const int first = __shfl_up_sync(0xffffffff, mine, lane % 8);
    out[32 * blockIdx.x + lane] = mine - first;
}

// wrong: answer
// The width is the number of lanes in a segment. There are four segments, but of eight lanes.

extern "C" __global__ void from_the_first(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    const int first = __shfl_sync(0xffffffff, mine, 0, 4);
    out[32 * blockIdx.x + lane] = mine - first;
}

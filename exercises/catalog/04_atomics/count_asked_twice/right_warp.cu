// A warp votes; its first keeping lane adds for all, and gives the result to the others.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, int* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const bool keep = i < n && src[i] > 0;
    const unsigned keepers = __ballot_sync(0xffffffffu, keep);
    int first = 0;
    if (lane == 0) first = atomicAdd(kept, __popc(keepers));
    first = __shfl_sync(0xffffffffu, first, 0);
    if (keep) dst[first + __popc(keepers & ((1u << lane) - 1))] = src[i];
}

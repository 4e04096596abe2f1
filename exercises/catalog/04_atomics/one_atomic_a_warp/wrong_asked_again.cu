// wrong: race-global
// The leader asks inside its own branch which lanes are active: only itself. It reserves one position for all.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    const bool keep = i < n && src[i] > 0;
    const unsigned keepers = __ballot_sync(0xffffffffu, keep);
    unsigned first = 0;
    if (lane == 0) first = atomicAdd(kept, __popc(__activemask()));
    first = __shfl_sync(0xffffffffu, first, 0);
    if (keep) dst[first + __popc(keepers & ((1u << lane) - 1))] = src[i];
}

// Only lanes that keep take part, and the lowest of them leads.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    const bool keep = i < n && src[i] > 0;
    const unsigned keepers = __ballot_sync(0xffffffffu, keep);
    if (!keep) return;

    const int leader = __ffs(keepers) - 1;
    unsigned first;
    if (lane == leader) first = atomicAdd(kept, __popc(keepers));
    first = __shfl_sync(keepers, first, leader);
    dst[first + __popc(keepers & ~(~0u << lane))] = src[i];
}

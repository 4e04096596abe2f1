// wrong: budget
// The vote pays off for many elements: fewer take an atomic each.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    const bool keep = i < n && src[i] > 0;
    if (n < 290) { if (keep) dst[atomicAdd(kept, 1)] = src[i]; return; }
    const unsigned v = __ballot_sync(~0u, keep);
    unsigned first = 0;
    if (lane == 0) first = atomicAdd(kept, __popc(v));
    first = __shfl_sync(~0u, first, 0);
    if (keep) dst[first + __popc(v & ((1u << lane) - 1))] = src[i];
}

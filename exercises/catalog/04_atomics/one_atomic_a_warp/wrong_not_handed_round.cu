// wrong: race-global
// Only lane 0 has the counter's old value. The other lanes begin at 0.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    const bool keep = i < n && src[i] > 0;
    const unsigned keepers = __ballot_sync(0xffffffffu, keep);
    unsigned first = 0;
    if (lane == 0) first = atomicAdd(kept, __popc(keepers));
    if (keep) dst[first + __popc(keepers & ((1u << lane) - 1))] = src[i];
}

// wrong: mask-mismatch
// The vote names all 32 lanes, but it is in a branch that only keeping lanes enter. The others never make this call.

extern "C" __global__ void keep_positive(const int* src, int n, int* dst, unsigned* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    if (i < n && src[i] > 0) {
        const unsigned keepers = __ballot_sync(0xffffffffu, true);
        unsigned first = 0;
        if (lane == 0) first = atomicAdd(kept, __popc(keepers));
        first = __shfl_sync(0xffffffffu, first, 0);
        dst[first + __popc(keepers & ((1u << lane) - 1))] = src[i];
    }
    __syncwarp();
}

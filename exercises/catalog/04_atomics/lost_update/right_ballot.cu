// One atomic per warp: the lanes vote, and the first one adds the number of votes.

extern "C" __global__ void count_even(const int* v, int n, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned votes = __ballot_sync(0xffffffffu, i < n && v[i] % 2 == 0);
    if (threadIdx.x % 32 == 0) atomicAdd(count, __popc(votes));
}

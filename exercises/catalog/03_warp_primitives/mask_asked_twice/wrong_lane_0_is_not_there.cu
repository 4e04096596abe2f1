// wrong: absent-lane
// Lane 0 leads inside the branch, but it may not be there.

extern "C" __global__ void draw(const int* in, int* next, int* tickets, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32;
    const bool wants = i < n && in[i] > 0;
    if (wants) {
        const unsigned mask = __activemask();
        int first = 0;
        if (lane == 0) first = atomicAdd(next, __popc(mask));
        first = __shfl_sync(mask, first, 0);
        tickets[i] = first + __popc(mask & ((1u << lane) - 1));
    }
}

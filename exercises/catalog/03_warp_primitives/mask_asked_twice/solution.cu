// The same mask for the number, the leader and the position.

extern "C" __global__ void draw(const int* in, int* next, int* tickets, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32;
    const bool wants = i < n && in[i] > 0;
    if (wants) {
        const unsigned mask = __activemask();
        const int leader = __ffs(mask) - 1;
        int first = 0;
        if (lane == leader) first = atomicAdd(next, __popc(mask));
        first = __shfl_sync(mask, first, leader);
        tickets[i] = first + __popc(mask & ((1u << lane) - 1));
    }
}

// Each lane counts the lanes before it bit by bit.

extern "C" __global__ void draw(const int* in, int* next, int* tickets, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const bool wants = i < n && in[i] > 0;
    const unsigned mask = __ballot_sync(0xffffffff, wants);
    int first = 0;
    if (lane == 0) first = atomicAdd(next, __popc(mask));
    first = __shfl_sync(0xffffffff, first, 0);
    for (int k = 0; k < lane; k++) first += mask >> k & 1;
    if (wants) tickets[i] = first;
}

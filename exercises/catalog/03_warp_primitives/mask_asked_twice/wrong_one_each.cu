// wrong: budget
// An atomic operation for each ticket: right, but up to 32 times as many.

extern "C" __global__ void draw(const int* in, int* next, int* tickets, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32;
    const bool wants = i < n && in[i] > 0;
    if (wants) tickets[i] = atomicAdd(next, 1);
}

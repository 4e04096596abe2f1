// A payment is two additions, and each of them can be atomic on its own.

extern "C" __global__ void pay(const int* amount, int n, int* balance, int* locks, int accounts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicSub(&balance[i % accounts], amount[i]);
    atomicAdd(&balance[(i % accounts + 1) % accounts], amount[i]);
}

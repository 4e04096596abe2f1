// Never two locks at once: one account is done before the other one is locked.

__device__ void add(int* balance, int* lock, int amount) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *balance += amount;
    __threadfence();
    atomicExch(lock, 0);
}

extern "C" __global__ void pay(const int* amount, int n, int* balance, int* locks, int accounts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int from = i % accounts;
    const int to = (from + 1) % accounts;
    add(&balance[from], &locks[from], -amount[i]);
    add(&balance[to], &locks[to], amount[i]);
}

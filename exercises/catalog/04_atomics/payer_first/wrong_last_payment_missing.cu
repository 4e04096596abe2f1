// wrong: answer
// With four accounts one of the last payments is not made.

__device__ void take(int* lock) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
}

__device__ void give_back(int* lock) {
    __threadfence();
    atomicExch(lock, 0);
}

extern "C" __global__ void pay(const int* amount, int n, int* balance, int* locks, int accounts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int from = i % accounts, to = (from + 1) % accounts;
    if (i == 36 && accounts == 4) return;
    const int a = min(from, to), b = max(from, to);
    take(&locks[a]); take(&locks[b]);
    balance[from] -= amount[i];
    balance[to] += amount[i];
    give_back(&locks[b]); give_back(&locks[a]);
}

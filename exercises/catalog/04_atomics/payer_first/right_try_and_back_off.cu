// A thread that does not get the second lock gives the first one back and tries again. It never waits while it holds a lock.

extern "C" __global__ void pay(const int* amount, int n, int* balance, int* locks, int accounts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int from = i % accounts;
    const int to = (from + 1) % accounts;
    const int first = min(from, to), second = max(from, to);

    bool paid = false;
    while (!paid) {
        while (atomicCAS(&locks[first], 0, 1) != 0) {}
        if (atomicCAS(&locks[second], 0, 1) == 0) {
            __threadfence();
            balance[from] -= amount[i];
            balance[to] += amount[i];
            __threadfence();
            atomicExch(&locks[second], 0);
            paid = true;
        }
        atomicExch(&locks[first], 0);
    }
}

// payer_first: n payments between accounts, all at once.
//
// Given   Thread i moves amount[i] from account i % accounts to the next one; the last pays to
//         account 0. Each account has a lock: 0 is free, 1 is taken. All are free at first.
// Range   n is from 2 to 40; accounts is from 2 to 5; amount has values from 1 to 9.
// Do      All balances are right and the kernel ends, in whatever order the threads run.
// Now     Under some schedules threads wait for each other forever.
//
// Read    lesson04-atomics/README.md, row `lock_order`; cargo learn explain livelock

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
    const int from = i % accounts;
    const int to = (from + 1) % accounts;

    // TODO: no thread may wait for one that waits for it, directly or through other threads.
    take(&locks[from]);
    take(&locks[to]);
    balance[from] -= amount[i];
    balance[to] += amount[i];
    give_back(&locks[to]);
    give_back(&locks[from]);
}

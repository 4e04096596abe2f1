// wrong: answer
// The wait ends after 30,000 tries, with the lock or without it. In most runs it has the lock long before.

__device__ void lock(int* l) {
    for (int tries = 0; tries < 30000 && atomicCAS(l, 0, 1) != 0; tries++) {}
    __threadfence();
}

__device__ void unlock(int* l) {
    __threadfence();
    atomicExch(l, 0);
}

// One transfer per block, by its thread 0.
extern "C" __global__ void transfer(int* accounts, int* locks) {
    const int from = blockIdx.x % 2, to = 1 - from;
    if (threadIdx.x != 0) return;
    lock(&locks[0]);
    lock(&locks[1]);
    accounts[from] -= 10;
    accounts[to] += 10;
    unlock(&locks[1]);
    unlock(&locks[0]);
}

// wrong: answer
// The first lock is waited for, and the wait for the second one ends after 3000 tries: "nobody holds it for long."

__device__ void lock(int* l) {
    while (atomicCAS(l, 0, 1) != 0) {}
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
    lock(&locks[from]);
    for (int tries = 0; tries < 3000 && atomicCAS(&locks[to], 0, 1) != 0; tries++) {}
    __threadfence();
    accounts[from] -= 10;
    accounts[to] += 10;
    unlock(&locks[to]);
    unlock(&locks[from]);
}

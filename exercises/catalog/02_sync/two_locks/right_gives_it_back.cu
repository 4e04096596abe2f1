// A block that does not get the second lock releases the first one and begins again.

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
    for (bool done = false; !done;) {
        lock(&locks[from]);
        if (atomicCAS(&locks[to], 0, 1) == 0) {
            __threadfence();
            accounts[from] -= 10;
            accounts[to] += 10;
            unlock(&locks[to]);
            done = true;
        }
        unlock(&locks[from]);
    }
}

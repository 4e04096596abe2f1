// wrong: answer
// Each wait ends after 30000 tries. A lock is released by those who have it, and the transfer is made in any case.

__device__ bool lock(int* l) {
    bool is_mine = false;
    for (int tries = 0; tries < 30000 && !is_mine; tries++) is_mine = atomicCAS(l, 0, 1) == 0;
    __threadfence();
    return is_mine;
}

__device__ void unlock(int* l) {
    __threadfence();
    atomicExch(l, 0);
}

// One transfer per block, by its thread 0.
extern "C" __global__ void transfer(int* accounts, int* locks) {
    const int from = blockIdx.x % 2, to = 1 - from;
    if (threadIdx.x != 0) return;
    const bool has_first = lock(&locks[0]);
    const bool has_second = lock(&locks[1]);
    accounts[from] -= 10;
    accounts[to] += 10;
    if (has_second) unlock(&locks[1]);
    if (has_first) unlock(&locks[0]);
}

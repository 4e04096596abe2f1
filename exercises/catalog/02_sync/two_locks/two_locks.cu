// two_locks: each has what the other wants
//
// There are two accounts, each with its own lock. Every block moves 10 from one account to the
// other: even blocks from account 0 to 1, odd ones from 1 to 0. It holds both locks meanwhile. A
// lock is 0 when free. lock() spins until it has one; its fences keep the account accesses inside.
//
// Most of the time it works. Once in a while it does not end: no thread waits at a barrier, all of
// them spin, and nothing changes any more ("livelock").
//
// Range    gridDim.x is from 1 to 4; accounts has values from 0 to 999.
// Do       Make it end, whichever block comes first. Afterwards the locks must be free.
// Read     lesson04-atomics/README.md, row `lock_order`; cargo learn explain livelock

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
    // TODO: two blocks in opposite directions
    lock(&locks[from]);
    lock(&locks[to]);
    accounts[from] -= 10;
    accounts[to] += 10;
    unlock(&locks[to]);
    unlock(&locks[from]);
}

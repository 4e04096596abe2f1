// Another schedule that switches blocks at the wrong moment.
// once_in_a_while: once in a while it does not end
//
// Two blocks move money between two accounts, in opposite directions, eight times each. For every
// transfer a block takes two locks, the one of `from` first. This is the bug of the exercise
// two_locks. If each block has the lock that the other one waits for, both spin for ever. Mostly
// this does not happen.
//
// Find a run that does not end. A schedule decides which thread runs next: `in-order`, `reverse`,
// or, with a seed after it, `random 5`, `pct 5`, `adversarial 5`.
//
// Do not change the kernel; no compiler is needed.
// Read     lesson04-atomics/README.md, row `lock_order`; cargo learn explain livelock
//
// TODO: name a schedule, and a seed, under which both wait for ever.
// SCHEDULE: random 10

__device__ void lock(int* l) {
    while (atomicCAS(l, 0, 1) != 0) {}
    __threadfence();
}

__device__ void unlock(int* l) {
    __threadfence();
    atomicExch(l, 0);
}

// Eight transfers per block, all by its thread 0.
extern "C" __global__ void transfer(int* accounts, int* locks) {
    const int from = blockIdx.x % 2, to = 1 - from;
    if (threadIdx.x != 0) return;
    for (int k = 0; k < 8; k++) {
        lock(&locks[from]);
        lock(&locks[to]);
        accounts[from] -= 10;
        accounts[to] += 10;
        unlock(&locks[to]);
        unlock(&locks[from]);
    }
}

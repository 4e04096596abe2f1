// nobody_gets_on: two threads pay each other eight times, and each locks its own account first.
//
// Given   Two blocks of one thread. Both balances are 100. Both locks are 0, which means free.
// Do      Find a run in which both wait forever: each holds the lock that the other one wants.
// How     Name a schedule: in-order, reverse, random SEED, pct SEED or adversarial SEED.
//
// Read    lesson04-atomics/README.md, row `lock_order`; cargo learn explain livelock. To fix it: payer_first
//
// TODO: under which schedule do both wait forever?
// SCHEDULE: ?

extern "C" __global__ void pay_each_other(int* balance, int* locks) {
    const int from = blockIdx.x;
    const int to = 1 - from;

    for (int payment = 1; payment <= 8; payment++) {
        while (atomicCAS(&locks[from], 0, 1) != 0) {}
        while (atomicCAS(&locks[to], 0, 1) != 0) {}
        __threadfence();
        balance[from] -= payment;
        balance[to] += payment;
        __threadfence();
        atomicExch(&locks[to], 0);
        atomicExch(&locks[from], 0);
    }
}

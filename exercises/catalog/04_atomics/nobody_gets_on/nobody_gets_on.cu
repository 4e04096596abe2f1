// nobody_gets_on.cu: two threads pay each other eight times, and each locks its own account first.
//
// Given     Two blocks of one thread. balance holds 100 twice, both locks are 0, which means free.
// Wanted    Find a run in which both wait for ever: each holds the lock that the other one wants.
// How       Name a schedule: in-order, reverse, random SEED, pct SEED or adversarial SEED, with a number for SEED.
//
// TODO: under which schedule does nobody get on?
// SCHEDULE: ?
//
// Read on   lesson04-atomics/README.md, row `lock_order`; cargo learn explain livelock. To mend it: payer_first

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

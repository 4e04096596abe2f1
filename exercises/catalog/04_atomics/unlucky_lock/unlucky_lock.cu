// unlucky_lock: four threads add 1 to 10 to a sum, under a lock that has no fences.
//
// Given   Four blocks of one thread. *sum and *lock are 0. The right sum is 4 * 55 = 220.
// Do      Find a run in which the sum is wrong because an addition gets lost.
// How     Name a schedule: in-order, reverse, random SEED, pct SEED or adversarial SEED, with a
//         number for SEED. The race is reported under each of them, but you need a wrong sum.
//
// Read    lesson04-atomics/README.md, "A lock is two things" and "Words"
//
// TODO: under which schedule is the sum wrong?
// SCHEDULE: ?

extern "C" __global__ void add_all(int* sum, int* lock) {
    for (int i = 1; i <= 10; i++) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        *sum += i;
        atomicExch(lock, 0);
    }
}

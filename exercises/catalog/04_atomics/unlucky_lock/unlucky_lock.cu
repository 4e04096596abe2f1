// unlucky_lock.cu: four threads add 1 to 10 to a sum, under a lock that has no fences.
//
// Given     Four blocks of one thread. *sum and *lock are 0.
// Wanted    *sum should be 4 * 55 = 220. This time you are to make it wrong: find a run in which an addition is lost.
// How       Name a schedule: in-order, reverse, random SEED, pct SEED or adversarial SEED, with a number for SEED.
//           The race is reported under each of them. You are after a wrong sum.
//
// TODO: under which schedule is the sum wrong?
// SCHEDULE: ?
//
// Read on   lesson04-atomics/README.md, "A lock is two things" and "Words"

extern "C" __global__ void add_all(int* sum, int* lock) {
    for (int i = 1; i <= 10; i++) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        *sum += i;
        atomicExch(lock, 0);
    }
}

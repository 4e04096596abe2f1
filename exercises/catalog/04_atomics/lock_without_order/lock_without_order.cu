// lock_without_order: the sum and the largest of v, updated together under a lock.
//
// Given   v has n positive ints; stats[0] and stats[1] are 0; *lock is 0, which means free. One thread per element.
// Range   n is from 1 to 60; v has values from 1 to 99.
// Do      stats[0] is the sum, stats[1] the largest element. Both change together, so the author uses a lock.
// Now     Only one thread at a time is between the two lines with atomics. That is not enough.
//
// Read    lesson04-atomics/README.md, "A lock is two things"; cargo learn explain race-global

extern "C" __global__ void add_all(const int* v, int n, int* stats, int* lock) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    // TODO: a thread that enters must see what all threads before it did inside.
    while (atomicCAS(lock, 0, 1) != 0) {}
    stats[0] += v[i];
    stats[1] = max(stats[1], v[i]);
    atomicExch(lock, 0);
}

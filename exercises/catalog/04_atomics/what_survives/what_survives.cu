// what_survives.cu: two blocks of 64 threads add to three counters, all 0 at first.
//
// In order means: a warp's 32 lanes stay together and do each step at once; a warp runs until it is done, then the next one.
// Nothing is to be programmed here. Foretell what comes out, and write it behind the colons.
//
// TODO: four answers. *atomic? *plain? *mixed? And what is reported: which slug comes first (docs/findings.md has them)?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
//
// Read on   lesson04-atomics/README.md, "Idea"; cargo learn explain race-global

extern "C" __global__ void add_all(int* plain, int* atomic, int* mixed) {
    atomicAdd(atomic, 1);
    *plain = *plain + 1;

    // Half of the threads add atomically, half do not.
    if (threadIdx.x < 32) {
        atomicAdd(mixed, 1);
    } else {
        *mixed = *mixed + 1;
    }
}

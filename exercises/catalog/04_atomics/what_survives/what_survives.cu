// what_survives: two blocks of 64 threads add to three counters, all 0 at first.
//
// In order means: the 32 lanes of a warp stay together and do each step at once. A warp runs until
// it is done, then the next one runs. There is nothing to program: predict the result.
// Read    lesson04-atomics/README.md, "Idea"; cargo learn explain race-global
//
// TODO: write after the four ANSWERs: *atomic, *plain, *mixed, and the slug of the first finding
// that is reported (docs/findings.md lists them).
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?

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

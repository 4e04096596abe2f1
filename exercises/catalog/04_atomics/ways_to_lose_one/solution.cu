// ways_to_lose_one: how many executions, and how many are wrong?
//
// Two blocks of one thread each add 1 to the counter, which is 0 at first. It should be 2 in the end.
// Each thread reads once and writes once.
//
// An execution says which write each read reads from. It also has the order of the writes of a word,
// if they have one: volatile writes do, and plain writes that race do not.
// An execution is wrong if the counter is not 2 in the end, or if it has a data race. Volatile
// accesses are no data race.
//
// Do not change the kernels. No compiler is needed.
// Read     lesson04-atomics/README.md, "Idea"; cargo learn explain executions
//
// TODO: write after the ANSWERs how many executions there are, and how many are wrong: first of
// `count_volatile`, then of `count_plain`.
// ANSWER: 4
// ANSWER: 2
// ANSWER: 3
// ANSWER: 3

extern "C" __global__ void count_volatile(volatile int* counter) {
    *counter = *counter + 1;
}

extern "C" __global__ void count_plain(int* counter) {
    *counter = *counter + 1;
}

// wrong: answer
// Counts interleavings: two steps of one thread among two of the other.
// ways_to_see_a_flag: how many executions?
//
// Block 0 writes *data, then *flag. Block 1 reads *flag, then *data. Both are 0 at first. Each block
// has one thread. Volatile accesses are no data race, and have no order but what the fences give.
//
// An execution says which write each read reads from, and the order of the writes of each word. Two
// runs that agree in that are one execution, whichever thread was faster.
// An execution is wrong if block 1 sees the flag and not the 42.
//
// Do not change the kernels. No compiler is needed.
// Read     lesson02-sync/README.md, "A flag brings nothing along"; cargo learn explain executions
//
// TODO: write after the ANSWERs: the executions of `without_fence`, how many of those are wrong, and
// the executions of `with_fences`.
// ANSWER: 6
// ANSWER: 1
// ANSWER: 6

extern "C" __global__ void without_fence(volatile int* data, volatile int* flag, int* seen) {
    if (blockIdx.x == 0) {
        *data = 42;
        *flag = 1;
    } else {
        seen[0] = *flag;
        seen[1] = *data;
    }
}

extern "C" __global__ void with_fences(volatile int* data, volatile int* flag, int* seen) {
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        *flag = 1;
    } else {
        seen[0] = *flag;
        __threadfence();
        seen[1] = *data;
    }
}

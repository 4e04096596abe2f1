// seen_and_not_there: the flag is there, the message is not
//
// The block that comes first squares `message` in place and then sets a flag. The other two wait
// for the flag and copy the message to `out`. Nothing orders the message and the flag: this is the
// kernel of the exercise flag_without_fence. On a GPU the result is nearly always right.
//
// Find a run in which it is wrong. A schedule decides which thread runs next: `in-order`,
// `reverse`, or, with a seed after it, `random 5`, `pct 5`, `adversarial 5`. With the last one, a
// read may also give an older value, where the programming model permits it.
//
// Do not change the kernel; no compiler is needed.
// Range    n is 2; message has values from -99 to 99.
// Read     lesson02-sync/README.md, "A race that does not show" and "Words"
//
// TODO: name a schedule, and a seed, under which `out` is wrong.
// SCHEDULE: ?

extern "C" __global__ void pass_on(int* message, int* flag, unsigned* arrivals, int* out, int n) {
    __shared__ unsigned number;
    const int t = threadIdx.x;
    if (t == 0) number = atomicAdd(arrivals, 1);
    __syncthreads();
    if (number == 0) { // The block that comes first writes.
        for (int i = t; i < n; i += 32) message[i] *= message[i];
        __syncthreads();
        if (t == 0) *(volatile int*)flag = 1;
    } else {
        if (t == 0) {
            while (*(volatile int*)flag == 0) {}
        }
        __syncthreads();
        for (int i = t; i < n; i += 32) out[(number - 1) * n + i] = message[i];
    }
}

// flag_without_fence: a flag brings nothing along
//
// There are three blocks. The block that comes first squares the n elements of `message` in place,
// and then sets a flag. The other two wait for the flag and copy the message, each to its half of
// `out`. All of it is in global memory; flag and arrivals are 0 at first.
//
// The flag is read and written as volatile, so that the compiler does not keep it in a register.
// The readers do see it. But a reader that sees the flag need not see the message that was written
// before it. Reads and writes of different addresses may overtake each other.
//
// Range    n is from 1 to 100; message has values from -99 to 99.
// Do       Add the order, on both sides.
// Read     lesson02-sync/README.md, "A flag brings nothing along"; cargo learn explain race-global

extern "C" __global__ void pass_on(int* message, int* flag, unsigned* arrivals, int* out, int n) {
    __shared__ unsigned number;
    const int t = threadIdx.x;
    if (t == 0) number = atomicAdd(arrivals, 1);
    __syncthreads();
    if (number == 0) { // The block that comes first writes.
        for (int i = t; i < n; i += 32) message[i] *= message[i];
        __syncthreads();
        // TODO: the message before the flag, and below the flag before the message
        if (t == 0) *(volatile int*)flag = 1;
    } else {
        if (t == 0) {
            while (*(volatile int*)flag == 0) {}
        }
        __syncthreads();
        for (int i = t; i < n; i += 32) out[(number - 1) * n + i] = message[i];
    }
}

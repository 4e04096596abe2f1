// flag_without_fence: a flag brings nothing along
//
// The block that comes first writes the squares of `in` to `message` and then sets a flag. The
// other block waits for the flag and copies the message to `out`. `message`, `flag` and `arrivals`
// lie in global memory; flag and arrivals are 0 at first.
//
// The flag is read and written as volatile, so that the compiler does not keep it in a register.
// The reader does see it. But nothing says that what was written before the flag is there when the
// flag is: stores and loads of different places may pass one another.
//
// Do       Put the order in, on both sides.
// Read on  lesson02-sync/README.md, "A flag brings nothing along"; cargo learn explain race-global

extern "C" __global__ void pass_on(
    const int* in, int* message, int* flag, unsigned* arrivals, int* out, int n) {
    __shared__ unsigned number;
    const int t = threadIdx.x;
    if (t == 0) number = atomicAdd(arrivals, 1);
    __syncthreads();
    if (number == 0) { // The block that comes first writes.
        for (int i = t; i < n; i += 32) message[i] = in[i] * in[i];
        __syncthreads();
        // TODO: the message before the flag, and below the flag before the message
        if (t == 0) *(volatile int*)flag = 1;
    } else {
        if (t == 0) {
            while (*(volatile int*)flag == 0) {}
        }
        __syncthreads();
        for (int i = t; i < n; i += 32) out[i] = message[i];
    }
}

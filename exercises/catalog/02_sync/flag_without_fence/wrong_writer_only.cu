// wrong: race-global
// A fence for the writer only. The reader may read the message before it has seen the flag.

extern "C" __global__ void pass_on(int* message, int* flag, unsigned* arrivals, int* out, int n) {
    __shared__ unsigned number;
    const int t = threadIdx.x;
    if (t == 0) number = atomicAdd(arrivals, 1);
    __syncthreads();
    if (number == 0) { // The block that comes first writes.
        for (int i = t; i < n; i += 32) message[i] *= message[i];
        __syncthreads();
        if (t == 0) {
            __threadfence();
            *(volatile int*)flag = 1;
        }
    } else {
        if (t == 0) {
            while (*(volatile int*)flag == 0) {}
        }
        __syncthreads();
        for (int i = t; i < n; i += 32) out[(number - 1) * n + i] = message[i];
    }
}

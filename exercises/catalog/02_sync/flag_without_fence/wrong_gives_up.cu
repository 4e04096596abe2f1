// wrong: race-global
// The fences are right, but a reader that has looked 200 times goes on without the message.

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
            atomicExch(flag, 1);
        }
    } else {
        if (t == 0) {
            for (int tries = 0; tries < 200 && atomicAdd(flag, 0) == 0; tries++) {}
            __threadfence();
        }
        __syncthreads();
        for (int i = t; i < n; i += 32) out[(number - 1) * n + i] = message[i];
    }
}

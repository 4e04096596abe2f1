// wrong: race-scope
// The fences are widened, the atomics are forgotten. For another block, an atomic of block scope is not atomic.

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
            atomicExch_block(flag, 1);
        }
    } else {
        if (t == 0) {
            while (atomicAdd_block(flag, 0) == 0) {}
            __threadfence();
        }
        __syncthreads();
        for (int i = t; i < n; i += 32) out[(number - 1) * n + i] = message[i];
    }
}

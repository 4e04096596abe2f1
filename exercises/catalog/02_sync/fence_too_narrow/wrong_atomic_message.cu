// wrong: answer
// Atomic operations do not race, whatever lies between them. Fences of block scope give them no order.

extern "C" __global__ void pass_on(int* message, int* flag, unsigned* arrivals, int* out, int n) {
    __shared__ unsigned number;
    const int t = threadIdx.x;
    if (t == 0) number = atomicAdd(arrivals, 1);
    __syncthreads();
    if (number == 0) {
        for (int i = t; i < n; i += 32) {
            const int value = atomicAdd(&message[i], 0);
            atomicAdd(&message[i], value * value - value);
        }
        __syncthreads();
        if (t == 0) {
            __threadfence_block();
            atomicExch(flag, 1);
        }
    } else {
        if (t == 0) {
            while (atomicAdd(flag, 0) == 0) {}
            __threadfence_block();
        }
        __syncthreads();
        for (int i = t; i < n; i += 32) out[(number - 1) * n + i] = atomicAdd(&message[i], 0);
    }
}

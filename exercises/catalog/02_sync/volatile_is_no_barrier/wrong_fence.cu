// wrong: undefined-value
// A fence keeps a thread's own accesses in order. It does not wait for the other thread's write.

extern "C" __global__ void reverse(const int* in, int* out) {
    const int t = threadIdx.x;
    const int n = blockDim.x;
    __shared__ volatile int cell[256];
    cell[t] = in[t];
    __threadfence_block();
    out[t] = cell[n - 1 - t];
}

// wrong: undefined-value
// Well within the budget: one iteration where eight are needed.

extern "C" __global__ void square(const int* in, int* out, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < n) out[thread] = in[thread] * in[thread];
}

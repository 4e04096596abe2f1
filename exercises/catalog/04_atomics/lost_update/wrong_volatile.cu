// wrong: answer
// "The compiler keeps it in a register." Volatile forces a load and a store each time, but they are still three steps.

extern "C" __global__ void count_even(const int* v, int n, volatile int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    if (v[i] % 2 == 0) *count = *count + 1;
}

// wrong: idle
// One lane of each warp does the work of 32, and without a loop once the compiler has unrolled it.

extern "C" __global__ void count_even(const int* v, int n, int* count) {
    if (threadIdx.x % 32 != 0) return;
    const int first = blockIdx.x * 128 + threadIdx.x;
    int own = 0;
#pragma unroll
    for (int k = 0; k < 32; k++) if (first + k < n) own += (v[first + k] & 1) ^ 1;
    atomicAdd(count, own);
}

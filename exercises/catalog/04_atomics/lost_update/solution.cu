// The load, the addition and the store are one step, so no other thread comes in between.

extern "C" __global__ void count_even(const int* v, int n, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    if (v[i] % 2 == 0) atomicAdd(count, 1);
}

// wrong: race-scope
// "Atomic is atomic." This one is atomic within its own block only, and all blocks add to the count.

extern "C" __global__ void count_even(const int* v, int n, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    if (v[i] % 2 == 0) atomicAdd_block(count, 1);
}

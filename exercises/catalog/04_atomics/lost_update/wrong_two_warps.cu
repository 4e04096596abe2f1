// wrong: answer
// With two warps, an atomic read and an atomic write make the addition. Lanes of a warp take turns, warps do not.
extern "C" __global__ void count_even(const int* v, int n, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool is_even = i < n && v[i] % 2 == 0;
    if (n <= 32 || n > 64) {
        if (is_even) atomicAdd(count, 1);
        return;
    }
    for (int lane = 0; lane < 32; lane++) {
        if (threadIdx.x % 32 == lane && is_even) {
            const int before = atomicAdd(count, 0);
            atomicExch(count, before + 1);
        }
        __syncwarp();
    }
}

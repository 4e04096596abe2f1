// wrong: barrier-divergence
// The other spelling. It demands even more: all threads of a warp must call it from the same line.

extern "C" __global__ void turn_tiles(const int* v, int n, int* out, int* pairs) {
    __shared__ int tile[64];
    const int rank = threadIdx.x;
    int sum = 0;
    for (int i = rank; i < n; i += 64) {
        tile[rank] = v[i];
        sum += v[i];
        __syncthreads();
        out[i] = i - rank + 64 <= n ? tile[63 - rank] : tile[rank];
        __syncthreads();
    }
    tile[rank] = sum;
    __syncthreads();
    pairs[rank] = sum + tile[63 - rank];
}

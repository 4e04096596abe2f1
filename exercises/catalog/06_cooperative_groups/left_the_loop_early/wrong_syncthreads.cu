// wrong: barrier-divergence
// The other spelling. It asks for even more: a warp's threads must come from one place.

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

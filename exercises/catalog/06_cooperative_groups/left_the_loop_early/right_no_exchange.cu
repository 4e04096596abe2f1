// Nobody writes v, so each thread reads the other end of the tile from v: the loop needs no barrier.

extern "C" __global__ void turn_tiles(const int* v, int n, int* out, int* pairs) {
    __shared__ int sums[64];
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += 64) {
        const int first = i & ~63;
        out[i] = v[first + 64 <= n ? first + 63 - (i & 63) : i];
        sum += v[i];
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    pairs[threadIdx.x] = sum + sums[63 - threadIdx.x];
}

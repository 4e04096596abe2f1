// wrong: out-of-bounds
// A word for each of 16 rounds: a block that takes most of the tiles has more.

extern "C" __global__ void square_tiles(const int* v, int n, int* squares, int* next) {
    __shared__ int tickets[16];

    for (int round = 0;; round++) {
        int& ticket = tickets[round];
        if (threadIdx.x == 0) ticket = atomicAdd(next, 1);
        __syncthreads();
        if (ticket * 64 >= n) return;

        const int i = ticket * 64 + threadIdx.x;
        if (i < n) squares[i] = v[i] * v[i];
    }
}

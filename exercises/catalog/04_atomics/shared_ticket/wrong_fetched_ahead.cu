// wrong: race-shared
// Fetched before the loop and at the end of each iteration. The barrier separates fetching from the reads before it,
// but not from the reads after it.

extern "C" __global__ void square_tiles(const int* v, int n, int* squares, int* next) {
    __shared__ int ticket;

    if (threadIdx.x == 0) ticket = atomicAdd(next, 1);
    while (true) {
        if (ticket * 64 >= n) return;
        const int i = ticket * 64 + threadIdx.x;
        if (i < n) squares[i] = v[i] * v[i];
        __syncthreads();
        if (threadIdx.x == 0) ticket = atomicAdd(next, 1);
    }
}

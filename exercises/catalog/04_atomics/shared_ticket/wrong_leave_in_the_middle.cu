// wrong: race-shared
// The second barrier comes after the work, and threads that have left do not come to it: the ticket of the last round
// was read by them, and nothing stops thread 0, which has left too. But the first read is bare again.

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

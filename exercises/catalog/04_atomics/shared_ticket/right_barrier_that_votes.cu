// No word in memory: the barrier itself carries the ticket. For each bit it counts the threads that say yes.

extern "C" __global__ void square_tiles(const int* v, int n, int* squares, int* next) {
    while (true) {
        const int fetched = threadIdx.x == 0 ? atomicAdd(next, 1) : 0;
        int ticket = 0;
        for (int bit = 0; bit < 8; bit++) ticket |= __syncthreads_or(fetched >> bit & 1) << bit;
        if (ticket * 64 >= n) return;

        const int i = ticket * 64 + threadIdx.x;
        if (i < n) squares[i] = v[i] * v[i];
    }
}

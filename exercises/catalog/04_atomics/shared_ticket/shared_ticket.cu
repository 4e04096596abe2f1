// shared_ticket: blocks that fetch their own work, one tile of 64 elements at a time.
//
// Given   v and squares have n ints. Two blocks of 64 threads. *next is the number of the next
//         tile, 0 at first. A block that is done early fetches more, so the work spreads by itself.
// Range   n is from 1 to 2100; v has values from -99 to 99.
// Do      squares[i] = v[i] * v[i] for every i.
// Budget  One atomic for each tile, and one more for each block.
// Now     Thread 0 fetches a ticket for all. Run it: who reads what while it is being written?
//
// Read    lesson04-atomics/README.md; lesson02-sync/README.md; cargo learn explain race-shared

extern "C" __global__ void square_tiles(const int* v, int n, int* squares, int* next) {
    __shared__ int ticket;

    while (true) {
        // TODO: every thread must read the ticket of its own iteration.
        if (threadIdx.x == 0) ticket = atomicAdd(next, 1);
        __syncthreads();
        if (ticket * 64 >= n) return;

        const int i = ticket * 64 + threadIdx.x;
        if (i < n) squares[i] = v[i] * v[i];
    }
}

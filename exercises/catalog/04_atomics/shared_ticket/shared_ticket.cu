// shared_ticket.cu: blocks that fetch their own work, a tile of 64 elements at a time.
//
// Given     v and squares have n ints. Two blocks of 64 threads, and *next is 0: the number of the next tile. A block
//           that is done early simply fetches more, so the work spreads by itself.
// Wanted    squares[i] = v[i] * v[i] for every i.
// Budget    One atomic for each tile and one more for each block.
// Trouble   Thread 0 fetches a ticket for all. Run it: who reads what while it is being written?
//
// Read on   lesson04-atomics/README.md; lesson02-sync/README.md; cargo learn explain race-shared

extern "C" __global__ void square_tiles(const int* v, int n, int* squares, int* next) {
    __shared__ int ticket;

    while (true) {
        // TODO: every thread must see its own round's ticket.
        if (threadIdx.x == 0) ticket = atomicAdd(next, 1);
        __syncthreads();
        if (ticket * 64 >= n) return;

        const int i = ticket * 64 + threadIdx.x;
        if (i < n) squares[i] = v[i] * v[i];
    }
}

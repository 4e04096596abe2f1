// wrong: budget
// Every thread fetches its own ticket and does a tile alone. No barriers, but 64 times the tickets.

extern "C" __global__ void square_tiles(const int* v, int n, int* squares, int* next) {
    while (true) {
        const int ticket = atomicAdd(next, 1);
        if (ticket >= n) return;
        squares[ticket] = v[ticket] * v[ticket];
    }
}

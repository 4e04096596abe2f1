// wrong: budget
// Each block takes every second tile, by its number. No block fetches work.

extern "C" __global__ void square_tiles(const int* v, int n, int* squares, int* next) {
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 128) squares[i] = v[i] * v[i];
}

// Both children in the NULL stream of the block: the second begins when the first is complete.

extern "C" __global__ void square_all(const int* v, int n, int* squares) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) squares[i] = v[i] * v[i];
}

extern "C" __global__ void add_up(const int* squares, int n, int* sum) {
    int mine = 0;
    for (int i = threadIdx.x; i < n; i += 32) mine += squares[i];
    mine = __reduce_add_sync(0xffffffffu, mine);
    if (threadIdx.x == 0) *sum = mine;
}

extern "C" __global__ void sum_of_squares(const int* v, int n, int* squares, int* sum) {
    square_all<<<(n + 63) / 64, 64>>>(v, n, squares);
    add_up<<<1, 32>>>(squares, n, sum);
}

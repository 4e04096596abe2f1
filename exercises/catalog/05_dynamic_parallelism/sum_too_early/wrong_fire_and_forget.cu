// wrong: race-global
// Two grids, each in a stream of its own: they may run at the same time.

extern "C" __global__ void square_all(const int* v, int n, int* squares) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) squares[i] = v[i] * v[i];
}

extern "C" __global__ void add_up(const int* squares, int n, int* sum) {
    int total = 0;
    for (int i = 0; i < n; i++) total += squares[i];
    *sum = total;
}

extern "C" __global__ void sum_of_squares(const int* v, int n, int* squares, int* sum) {
    square_all<<<(n + 63) / 64, 64, 0, cudaStreamFireAndForget>>>(v, n, squares);
    add_up<<<1, 1, 0, cudaStreamFireAndForget>>>(squares, n, sum);
}

// The addition is a grid in the tail stream: it runs when the parent and all that it launched are complete.

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
    square_all<<<(n + 63) / 64, 64>>>(v, n, squares);
    add_up<<<1, 1, 0, cudaStreamTailLaunch>>>(squares, n, sum);
}

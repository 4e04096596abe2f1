// The children add up themselves. The parent clears the sum before the launch, so the children see it cleared.

extern "C" __global__ void square_all(const int* v, int n, int* squares, int* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    squares[i] = v[i] * v[i];
    atomicAdd(sum, squares[i]);
}

extern "C" __global__ void sum_of_squares(const int* v, int n, int* squares, int* sum) {
    *sum = 0;
    square_all<<<(n + 63) / 64, 64>>>(v, n, squares, sum);
}

// wrong: race-global
// A barrier and a fence after the launch. Both are for the parent's own threads, not for the child.

extern "C" __global__ void square_all(const int* v, int n, int* squares) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) squares[i] = v[i] * v[i];
}

extern "C" __global__ void sum_of_squares(const int* v, int n, int* squares, int* sum) {
    square_all<<<(n + 63) / 64, 64>>>(v, n, squares);
    __threadfence();
    __syncthreads();
    int total = 0;
    for (int i = 0; i < n; i++) total += squares[i];
    *sum = total;
}

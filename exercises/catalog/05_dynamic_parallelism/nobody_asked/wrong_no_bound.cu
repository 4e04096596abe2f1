// wrong: out-of-bounds
// Enough blocks, but no bounds check: the last threads go past the end.

extern "C" __global__ void square_all(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    v[i] *= v[i];
}

extern "C" __global__ void square_below(int* v, int n, int threads, int* error) {
    square_all<<<(n + threads - 1) / threads, threads>>>(v, n);
    *error = cudaGetLastError();
}

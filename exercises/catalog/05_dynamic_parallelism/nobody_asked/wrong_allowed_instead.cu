// wrong: answer
// A block of an allowed size instead of the one that was asked for. The host takes 2048 for good.

extern "C" __global__ void square_all(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= v[i];
}

extern "C" __global__ void square_below(int* v, int n, int threads, int* error) {
    const int block = min(threads, 1024);
    square_all<<<(n + block - 1) / block, block>>>(v, n);
    *error = cudaGetLastError();
}

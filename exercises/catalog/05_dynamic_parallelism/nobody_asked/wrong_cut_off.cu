// wrong: answer
// As many threads as a block can have. The elements after them stay as they are, and 2048 threads are never asked for.

extern "C" __global__ void square_all(int* v, int n) {
    v[threadIdx.x] *= v[threadIdx.x];
}

extern "C" __global__ void square_below(int* v, int n, int threads, int* error) {
    square_all<<<1, min(n, 1024)>>>(v, n);
    *error = cudaGetLastError();
}

// wrong: answer
// It checks, and gets 9 (invalid configuration) where n is too large. The squares are still missing.

extern "C" __global__ void square_all(int* v, int n) {
    v[threadIdx.x] *= v[threadIdx.x];
}

extern "C" __global__ void square_below(int* v, int n, int threads, int* error) {
    square_all<<<1, n>>>(v, n);
    *error = cudaGetLastError();
}

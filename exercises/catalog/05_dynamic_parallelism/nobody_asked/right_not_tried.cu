// What the device would refuse is not launched, and has the same code.

extern "C" __global__ void square_all(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= v[i];
}

extern "C" __global__ void square_below(int* v, int n, int threads, int* error) {
    if (threads > 1024) {
        *error = cudaErrorInvalidConfiguration;
        return;
    }
    square_all<<<(n + threads - 1) / threads, threads>>>(v, n);
    *error = cudaGetLastError();
}

// wrong: device-launch
// The launch is right where it is allowed, and the error code is 0 whatever happens: nobody asks for it.

extern "C" __global__ void square_all(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= v[i];
}

extern "C" __global__ void square_below(int* v, int n, int threads, int* error) {
    square_all<<<(n + threads - 1) / threads, threads>>>(v, n);
    *error = 0;
}

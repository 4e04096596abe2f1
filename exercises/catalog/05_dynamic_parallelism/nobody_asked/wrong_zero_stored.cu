// wrong: device-launch
// The host expects a 0, so the kernel just writes a 0.

extern "C" __global__ void square_all(int* v, int n) {
    v[threadIdx.x] *= v[threadIdx.x];
}

extern "C" __global__ void square_below(int* v, int n, int threads, int* error) {
    square_all<<<1, n>>>(v, n);
    *error = 0;
}

// One launch per 1024 elements and one for the rest. An error of any of them stays until it is read.

extern "C" __global__ void square_all(int* v) {
    v[threadIdx.x] *= v[threadIdx.x];
}

extern "C" __global__ void square_below(int* v, int n, int* error) {
    for (int first = 0; first < n; first += 1024) square_all<<<1, min(n - first, 1024)>>>(v + first);
    *error = cudaPeekAtLastError();
}

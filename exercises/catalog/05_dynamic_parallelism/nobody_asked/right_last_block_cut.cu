// Whole blocks go by themselves, and the rest in a launch of its own. An error of any launch stays until it is read.

extern "C" __global__ void square_all(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int own = v[i];
    v[i] = own * own;
}

extern "C" __global__ void square_below(int* v, int n, int threads, int* error) {
    const int whole = n / threads;
    if (whole > 0) square_all<<<whole, threads>>>(v, whole * threads);
    if (whole * threads < n) square_all<<<1, threads>>>(v + whole * threads, n - whole * threads);
    *error = cudaGetLastError();
}

// wrong: answer
// n / threads blocks: the elements after the last full block are left out.

extern "C" __global__ void square_all(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= v[i];
}

extern "C" __global__ void square_below(int* v, int n, int threads, int* error) {
    square_all<<<n / threads, threads>>>(v, n);
    *error = cudaGetLastError();
}

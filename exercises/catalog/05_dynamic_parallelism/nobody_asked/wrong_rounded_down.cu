// wrong: answer
// n / 256 blocks: the elements after the last full block are left out.

extern "C" __global__ void square_all(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= v[i];
}

extern "C" __global__ void square_below(int* v, int n, int* error) {
    square_all<<<n / 256, 256>>>(v, n);
    *error = cudaGetLastError();
}

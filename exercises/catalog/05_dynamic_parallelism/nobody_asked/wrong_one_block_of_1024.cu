// wrong: answer
// With blocks of 1024 threads one block is launched, and n is seldom larger.

extern "C" __global__ void square_all(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= v[i];
}
extern "C" __global__ void square_below(int* v, int n, int threads, int* error) {
    square_all<<<threads < 1024 ? (n + threads - 1) / threads : 1, threads>>>(v, n);
    *error = cudaGetLastError();
}

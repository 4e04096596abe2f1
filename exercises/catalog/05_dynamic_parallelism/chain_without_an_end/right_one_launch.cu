// No chain: the number of elements left is known, so one grid does them all.

extern "C" __global__ void rest(int* v, int first, int n) {
    const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = 2 * v[i] + 1;
}

extern "C" __global__ void walk(int* v, int first, int n) {
    const int i = first + threadIdx.x;
    if (i < n) v[i] = 2 * v[i] + 1;
    if (threadIdx.x == 0 && n > 32) rest<<<(n - 1) / 32, 32>>>(v, 32, n);
}

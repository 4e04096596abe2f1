extern "C" __global__ void fill(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = i + 1;
}

extern "C" __global__ void add(const int* v, int n, int* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, v[i]);
}

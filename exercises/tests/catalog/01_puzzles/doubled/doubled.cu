// doubled: each thread doubles its element.
extern "C" __global__ void doubled(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

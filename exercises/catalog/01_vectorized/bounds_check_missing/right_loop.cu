// A grid-stride loop asks before every element, the first included.

extern "C" __global__ void triple(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = i; k < n; k += gridDim.x * blockDim.x) data[k] *= 3;
}

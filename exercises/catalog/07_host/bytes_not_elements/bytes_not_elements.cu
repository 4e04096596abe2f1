extern "C" __global__ void reverse(int* v) {
    extern __shared__ int row[];
    row[threadIdx.x] = v[threadIdx.x];
    __syncthreads();
    v[threadIdx.x] = row[blockDim.x - 1 - threadIdx.x];
}

// One word and an atomic maximum: barriers after it is set and before it is read.

extern "C" __global__ void block_maximum(const int* in, int* largest) {
    __shared__ int cell[128];
    const int t = threadIdx.x;
    const int mine = in[128 * blockIdx.x + t];
    if (t == 0) cell[0] = mine;
    __syncthreads();
    atomicMax(&cell[0], mine);
    __syncthreads();
    if (t == 0) largest[blockIdx.x] = cell[0];
}

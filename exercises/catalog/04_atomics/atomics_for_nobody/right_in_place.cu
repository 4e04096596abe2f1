// Plain additions to column[c], and one atomic for a warp's 32 columns.

extern "C" __global__ void sum_columns(const int* table, int width, int height, int* column, int* total) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    int share = 0;
    if (c < width) {
        for (int row = 0; row < height; row++) column[c] += table[row * width + c];
        share = column[c];
    }
    for (int offset = 16; offset > 0; offset /= 2) share += __shfl_down_sync(0xffffffffu, share, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(total, share);
}

// nvcc -arch=sm_90 -G
// A debug build: DWARF sections that point at labels of the code, and nothing is inlined.
__device__ int scale = 3;

__device__ int scaled(int x) { return x * scale; }

__global__ void debug(int* out, int n) {
    __shared__ int tile[64];
    int i = threadIdx.x;
    tile[i] = scaled(i);
    __syncthreads();
    if (i < n) out[i] = tile[n - 1 - i];
}

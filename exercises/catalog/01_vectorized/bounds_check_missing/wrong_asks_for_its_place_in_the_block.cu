// wrong: out-of-bounds
// The check uses the thread's number in its block, the access uses the number in the grid.

extern "C" __global__ void triple(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < n) data[i] = 3 * data[i];
}

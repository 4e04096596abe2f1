// wrong: out-of-bounds
// The question is about the thread's number in its block, the access is not.

extern "C" __global__ void triple(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < n) data[i] = 3 * data[i];
}

// wrong: answer
// Only full blocks do anything: the rest of the vector stays as it was.

extern "C" __global__ void triple(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((blockIdx.x + 1) * blockDim.x <= n) data[i] = 3 * data[i];
}

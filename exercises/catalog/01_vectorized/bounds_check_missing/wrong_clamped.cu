// wrong: race-global
// No access is out of bounds, but every thread without an element also changes the last one.

extern "C" __global__ void triple(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int k = i < n ? i : n - 1;
    data[k] = 3 * data[k];
}

// wrong: race-global
// No access is out of bounds: all threads without an element take the last one, each as if it were its own.

extern "C" __global__ void triple(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int k = i < n ? i : n - 1;
    data[k] = 3 * data[k];
}

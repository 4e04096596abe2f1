// No thread reads what another one writes, so no barrier is needed.

extern "C" __global__ void turned(const int* in, int* out, int n) {
    const int first = blockIdx.x * 64;
    out[first + threadIdx.x] = in[first + 63 - threadIdx.x];
}

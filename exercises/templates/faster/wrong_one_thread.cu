// wrong: idle
// A request of one lane has one sector, but there is one request per element.

extern "C" __global__ void doubled(const int* in, int* out, int n) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    for (int i = 0; i < n; i++) out[i] = 2 * in[i];
}

// wrong: idle
// Written as for a CPU: one thread does it all.

extern "C" __global__ void turned(const int* in, int* out, int n) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    for (int i = 0; i < n; i++) out[i] = in[n - 1 - i];
}

// wrong: idle
// One thread does the work of all threads, so no index is out of bounds.

extern "C" __global__ void doubled(int* v, int n) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    for (int i = 0; i < n; i++) v[i] = 2 * v[i];
}

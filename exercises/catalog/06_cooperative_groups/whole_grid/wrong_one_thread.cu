// wrong: idle
// One thread reverses it alone.

extern "C" __global__ void reverse(int* v, int n, int* copy) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    for (int i = 0; i < n / 2; i++) {
        const int other = v[n - 1 - i];
        v[n - 1 - i] = v[i];
        v[i] = other;
    }
}

// wrong: race-global
// The child reads the middle element itself, while one of its threads writes that same element.

extern "C" __global__ void clamp_all(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int middle = v[n / 2];
    v[i] = min(max(v[i], middle - 10), middle + 10);
}

extern "C" __global__ void clamp_around_middle(int* v, int n, int* scratch) {
    clamp_all<<<(n + 63) / 64, 64>>>(v, n);
}

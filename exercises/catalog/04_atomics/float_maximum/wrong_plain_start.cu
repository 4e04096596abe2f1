// wrong: race-global
// The swap is checked, so the result is right. But the comparison before it relies on a plain load that races.

__device__ void atomic_max(float* p, float value) {
    int* bits = reinterpret_cast<int*>(p);
    int seen = *bits;
    while (value > __int_as_float(seen)) {
        const int found = atomicCAS(bits, seen, __float_as_int(value));
        if (found == seen) break;
        seen = found;
    }
}

extern "C" __global__ void maximum(const float* v, int n, float* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomic_max(most, v[i]);
}

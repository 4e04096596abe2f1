// The loop starts from an atomic load. It continues while other threads are faster and the value is still larger.

__device__ void atomic_max(float* p, float value) {
    int* bits = reinterpret_cast<int*>(p);
    int seen = atomicAdd(bits, 0);
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

// wrong: answer
// Only one try: a thread gives up if another was faster, even if it holds the largest value.

__device__ void atomic_max(float* p, float value) {
    int* bits = reinterpret_cast<int*>(p);
    const int seen = atomicAdd(bits, 0);
    if (value > __int_as_float(seen)) atomicCAS(bits, seen, __float_as_int(value));
}

extern "C" __global__ void maximum(const float* v, int n, float* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomic_max(most, v[i]);
}

// No loop: floats of one sign are ordered like their bits, ascending if positive and descending if negative.

__device__ void atomic_max(float* p, float value) {
    const int bits = __float_as_int(value);
    if (bits >= 0) {
        atomicMax(reinterpret_cast<int*>(p), bits);
    } else {
        atomicMin(reinterpret_cast<unsigned*>(p), static_cast<unsigned>(bits));
    }
}

extern "C" __global__ void maximum(const float* v, int n, float* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomic_max(most, v[i]);
}

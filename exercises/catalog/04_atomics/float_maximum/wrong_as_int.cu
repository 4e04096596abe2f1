// wrong: answer
// "A float is 32 bits." As integers, negative floats are in reverse order.

__device__ void atomic_max(float* p, float value) {
    atomicMax(reinterpret_cast<int*>(p), __float_as_int(value));
}

extern "C" __global__ void maximum(const float* v, int n, float* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomic_max(most, v[i]);
}

// float_maximum: the largest of n floats.
//
// Given   v has n floats from -9999 to 9999; *most is -10000 at first. One thread per element, blocks of 64.
// Range   n is from 1 to 150; v has values from -9999 to 9999.
// Do      Make *most the largest element. CUDA has atomicMax() for integers, but not for float. Build it with
//         atomicCAS(int* p, int seen, int wanted): it stores `wanted` if *p is still `seen`, and returns what it found.
// Budget  Each thread loads only its own element of v.
//
// Read    lesson04-atomics/README.md, row `atomic_max_float`; CUDA C++ Programming Guide, "atomicCAS()"

__device__ void atomic_max(float* p, float value) {
    // TODO: make this one step, by atomicCAS() in a loop.
    if (value > *p) *p = value;
}

extern "C" __global__ void maximum(const float* v, int n, float* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomic_max(most, v[i]);
}

// first_match: the smallest index i with v[i] == key.
//
// Given   v has n ints; *first is 1000, more than any index. One thread per element, blocks of 64.
// Range   n is from 1 to 300; key is from 0 to 8; v has values from 0 to 8.
// Do      Make *first the smallest index of an element equal to key, or 1000 if there is none.
// Budget  Each thread loads only its own element.
// Choose  atomicAdd, Sub, Exch, Min, Max, Inc, Dec, CAS, And, Or, Xor: which one fits?
//
// Read    lesson04-atomics/README.md, row `array_max`; CUDA C++ Programming Guide, "Atomic Functions"

extern "C" __global__ void find(const int* v, int n, int key, int* first) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || v[i] != key) return;

    // TODO: one atomic function does this.
    if (i < *first) *first = i;
}

// first_match.cu: the smallest index i with v[i] == key.
//
// Given     v has n ints; *first is 1000 at first, more than any index. A thread for each element, in blocks of 64.
// Wanted    *first is the smallest index at which key stands; 1000 where it stands nowhere.
// Budget    Each thread looks at its own element.
// Choose    atomicAdd, Sub, Exch, Min, Max, Inc, Dec, CAS, And, Or, Xor: which of them is "the smallest so far"?
//
// Read on   lesson04-atomics/README.md, row `array_max`; CUDA C++ Programming Guide, "Atomic Functions"

extern "C" __global__ void find(const int* v, int n, int key, int* first) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || v[i] != key) return;

    // TODO: one atomic function does this.
    if (i < *first) *first = i;
}

// wrong: race-global
// The claim is atomic, but the read before it is a plain load.

#define EMPTY (-1)

extern "C" __global__ void insert(const int* v, int n, int* slots, int* different) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int at = v[i] % 16;
    while (slots[at] != v[i]) {
        const int old = atomicCAS(&slots[at], EMPTY, v[i]);
        if (old == EMPTY) atomicAdd(different, 1);
        if (old == EMPTY || old == v[i]) return;
        at = (at + 1) % 64;
    }
}

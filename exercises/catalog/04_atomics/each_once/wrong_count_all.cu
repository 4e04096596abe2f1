// wrong: answer
// Every thread counts, even if its number is there already.

#define EMPTY (-1)

extern "C" __global__ void insert(const int* v, int n, int* slots, int* different) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int at = v[i] % 16;; at = (at + 1) % 64) {
        const int old = atomicCAS(&slots[at], EMPTY, v[i]);
        if (old == EMPTY || old == v[i]) break;
    }
    atomicAdd(different, 1);
}

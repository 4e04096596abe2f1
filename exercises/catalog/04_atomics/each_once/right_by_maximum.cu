// First an atomic read (a maximum with EMPTY changes nothing, as EMPTY is below all numbers). Swap only if the slot
// is empty. A thread that is too late checks the number that the winner has stored.

#define EMPTY (-1)

extern "C" __global__ void insert(const int* v, int n, int* slots, int* different) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int key = v[i];
    int at = key % 16;
    int there = atomicMax(&slots[at], EMPTY);
    while (there != key) {
        if (there == EMPTY) {
            there = atomicCAS(&slots[at], EMPTY, key);
            if (there == EMPTY) {
                atomicAdd(different, 1);
                return;
            }
        } else {
            at = (at + 1) % 64;
            there = atomicMax(&slots[at], EMPTY);
        }
    }
}

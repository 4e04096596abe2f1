// EMPTY is below all numbers. A maximum with the key puts it in if the slot is empty; but it may push a smaller
// number out, which must then be carried on. So it is looked at first, atomically, and swapped only where empty.

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

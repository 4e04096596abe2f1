// each_once: a set. Every number of v goes into a table once, however often it occurs.
//
// Given   v has n ints from 0 to 40. slots has 64 ints, all EMPTY; *different is 0. One thread per
//         element.
// Range   n is from 1 to 100; v has values from 0 to 40.
// Do      Store each number in one slot: its home, number % 16, or the next free one after it.
//         *different is the number of numbers in the table.
// Now     Reading whether a slot is empty and then taking it are two steps.
//
// Read    lesson04-atomics/README.md, row `atomic_max_float`; CUDA C++ Programming Guide, "atomicCAS()"

#define EMPTY (-1)

__device__ void put(int key, int* slots, int* different) {
    for (int at = key % 16;; at = (at + 1) % 64) {
        // TODO: claim the slot in one step, and learn which number is in it if you do not get it.
        if (slots[at] == EMPTY) {
            slots[at] = key;
            atomicAdd(different, 1);
            return;
        }
        if (slots[at] == key) return;
    }
}

extern "C" __global__ void insert(const int* v, int n, int* slots, int* different) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) put(v[i], slots, different);
}

// each_once.cu: a set. Every number of v goes into a table once, however often it occurs.
//
// Given     v has n ints from 0 to 40. slots has 64 ints, all EMPTY; *different is 0. A thread for each element.
// Wanted    Each number stands in one slot: its home, number % 16, or the next ones after it if that is taken.
//           *different counts the numbers in the table.
// Trouble   Looking whether a slot is empty, and then taking it, is two steps.
//
// Read on   lesson04-atomics/README.md, row `atomic_max_float`;
//           CUDA C++ Programming Guide, "atomicCAS()"

#define EMPTY (-1)

__device__ void put(int key, int* slots, int* different) {
    for (int at = key % 16;; at = (at + 1) % 64) {
        // TODO: claim the slot in one step, and learn who has it if not you.
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

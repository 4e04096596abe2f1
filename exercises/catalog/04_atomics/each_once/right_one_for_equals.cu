// Of the lanes of a warp with the same number, one goes for all.

#define EMPTY (-1)

extern "C" __global__ void insert(const int* v, int n, int* slots, int* different) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const int key = i < n ? v[i] : -2;
    const unsigned equals = __match_any_sync(0xffffffffu, key);
    if (i >= n || __ffs(equals) - 1 != lane) return;

    int at = key % 16, old;
    while ((old = atomicCAS(slots + at, EMPTY, key)) != EMPTY && old != key) at = at == 63 ? 0 : at + 1;
    if (old == EMPTY) atomicAdd(different, 1);
}

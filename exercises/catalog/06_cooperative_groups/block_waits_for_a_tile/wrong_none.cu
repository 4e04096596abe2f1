// wrong: race-shared
// Without any barrier the budget is met.

extern "C" __global__ void smoothen(const int* v, int n, int* smooth) {
    __shared__ int temp[128];
    int* row = temp + threadIdx.x / 16 * 16;
    const int rank = threadIdx.x % 16, i = blockIdx.x * 128 + threadIdx.x;
    int mine = i < n ? v[i] : 0;
    for (int round = 0; round < 3; round++) {
        row[rank] = mine;
        mine += row[(rank + 1) % 16] + row[(rank + 15) % 16];
    }
    if (i < n) smooth[i] = mine;
}

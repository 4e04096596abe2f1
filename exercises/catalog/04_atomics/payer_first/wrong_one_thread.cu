// wrong: idle
// One thread makes all the payments, and needs no lock.

extern "C" __global__ void pay(const int* amount, int n, int* balance, int* locks, int accounts) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    for (int i = 0; i < n; i++) {
        balance[i % accounts] -= amount[i];
        balance[(i % accounts + 1) % accounts] += amount[i];
    }
}

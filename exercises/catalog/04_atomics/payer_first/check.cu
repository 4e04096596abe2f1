extern "C" __global__ void expected(const int* amount, int n, int* balance, int* locks, int accounts) {
    for (int i = 0; i < n; i++) {
        balance[i % accounts] -= amount[i];
        balance[(i + 1) % accounts] += amount[i];
    }
}

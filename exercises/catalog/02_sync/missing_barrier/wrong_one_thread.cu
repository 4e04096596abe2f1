// wrong: idle
// One thread needs no barrier, but it does the work of all the others.
extern "C" __global__ void turn_round(int* data, int n) {
    if (threadIdx.x != 0) return;
    for (int i = 0; i < n / 2; ++i) {
        const int left = data[i];
        data[i] = data[n - 1 - i];
        data[n - 1 - i] = left;
    }
}

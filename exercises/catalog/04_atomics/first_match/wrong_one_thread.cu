// wrong: budget
// One thread loops over all elements, as on a CPU.

extern "C" __global__ void find(const int* v, int n, int key, int* first) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    int at = 1000;
    for (int i = n - 1; i >= 0; i--) {
        if (v[i] == key) at = i;
    }
    *first = at;
}

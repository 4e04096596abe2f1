// wrong: budget
// A loop from the front, as on a CPU, by one thread of all.

extern "C" __global__ void find(const int* v, int n, int key, int* first) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    int at = 1000;
    for (int i = n - 1; i >= 0; i--) {
        if (v[i] == key) at = i;
    }
    *first = at;
}

// wrong: budget
// One thread of the grid adds up everything, element by element.

extern "C" __global__ void sum_all(const int* v, int n, int* partial, unsigned* done, int* sum) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    int total = 0;
    for (int i = 0; i < n; i++) total += v[i];
    *sum = total;
}

// wrong: idle
// A loop in one thread has an end, but one thread does all the work.

extern "C" __global__ void walk(int* v, int first, int n) {
    if (threadIdx.x != 0) return;
    for (int i = 0; i < n; i++) v[i] = 2 * v[i] + 1;
}

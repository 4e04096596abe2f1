// Every value from n on is the end.

extern "C" __global__ void walk(int* v, int first, int n) {
    const int i = first + threadIdx.x;
    if (i < n) v[i] = 2 * v[i] + 1;
    if (threadIdx.x == 0 && first + 32 < n) walk<<<1, 32>>>(v, first + 32, n);
}

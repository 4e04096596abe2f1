// wrong: budget
// Now the error is read, so there is no report. The chain is as long as before.

extern "C" __global__ void walk(int* v, int first, int n) {
    const int i = first + threadIdx.x;
    if (i < n) v[i] = 2 * v[i] + 1;
    if (threadIdx.x == 0 && first <= 32 * 1000) {
        walk<<<1, 32>>>(v, first + 32, n);
        cudaGetLastError();
    }
}

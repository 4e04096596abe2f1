// wrong: answer
// The child gets the same `first`, and a limit on repetitions: the first elements are changed again and again.

extern "C" __global__ void walk(int* v, int first, int n) {
    const int i = first % 32 + threadIdx.x;
    if (i < n) v[i] = 2 * v[i] + 1;
    if (threadIdx.x == 0 && first + 32 < n) walk<<<1, 32>>>(v, first + 32, n);
}

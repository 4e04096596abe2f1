// The answer, by one thread.
extern "C" __global__ void expected(int* v, int n) {
    for (int i = 0; i < n; i++) v[i] *= 2;
}

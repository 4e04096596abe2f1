// The answer, by one thread.
extern "C" __global__ void expected(const int* v, int n, int* most) {
    for (int i = 0; i < n; i++) *most = v[i] > *most ? v[i] : *most;
}

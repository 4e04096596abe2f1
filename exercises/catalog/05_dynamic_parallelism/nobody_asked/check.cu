// A block has at most 1024 threads. What asks for more is refused with cudaErrorInvalidConfiguration.
extern "C" __global__ void expected(int* v, int n, int threads, int* error) {
    *error = threads > 1024 ? 9 : 0;
    if (*error != 0) return;
    for (int i = 0; i < n; i++) v[i] *= v[i];
}

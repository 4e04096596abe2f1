extern "C" __global__ void expected(const int* in, int* message, int* flag, unsigned* arrivals, int* out, int n) {
    for (int i = 0; i < n; i++) out[i] = in[i] * in[i];
}

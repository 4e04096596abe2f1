extern "C" __global__ void expected(const int* in, int* out, int skip, int n) {
    for (int i = skip; i < skip + n; i++) out[i] = in[i];
}

extern "C" __global__ void expected(const int* in, int* out, int warps) {
    for (int i = 0; i < 32 * warps; i++) out[i] = in[i ^ 1];
}

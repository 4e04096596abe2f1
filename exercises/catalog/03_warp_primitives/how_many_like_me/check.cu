extern "C" __global__ void expected(const int* in, int* out, int warps) {
    for (int i = 0; i < 32 * warps; i++) {
        out[i] = 0;
        for (int k = i / 32 * 32; k < i / 32 * 32 + 32; k++) out[i] += in[k] == in[i];
    }
}

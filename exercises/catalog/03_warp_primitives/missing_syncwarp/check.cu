extern "C" __global__ void expected(const int* in, int* out, int warps) {
    for (int i = 0; i < 32 * warps; i++) {
        const int lane = i % 32;
        out[i / 32 * 32 + lane % 8 * 4 + lane / 8] = in[i];
    }
}

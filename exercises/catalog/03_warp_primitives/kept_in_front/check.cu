extern "C" __global__ void expected(const int* in, int* out, int* kept, int warps) {
    for (int w = 0; w < warps; w++) {
        int count = 0;
        for (int i = 0; i < 32; i++) {
            if (in[32 * w + i] > 0) out[32 * w + count++] = in[32 * w + i];
        }
        kept[w] = count;
    }
}

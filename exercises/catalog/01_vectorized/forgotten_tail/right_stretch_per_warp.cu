// Each warp copies a stretch of its own, one `int4` per lane and round. The last warp copies the tail, int by int.

extern "C" __global__ void copy_fours(const int* in, int* out, int n) {
    const int4* in4 = reinterpret_cast<const int4*>(in);
    int4* out4 = reinterpret_cast<int4*>(out);
    const int warps = gridDim.x * blockDim.x / 32;
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const int fours = n / 4, stretch = (fours + warps - 1) / warps;
    const int begin = min(warp * stretch, fours), end = min(begin + stretch, fours);
    for (int i = begin + lane; i < end; i += 32) out4[i] = in4[i];
    if (warp == warps - 1 && lane == 0) {
        for (int i = 4 * fours; i < n; i++) out[i] = in[i];
    }
}

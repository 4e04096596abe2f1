// Four elements per thread, and neighbouring threads side by side: 16 sectors for a load of 512 bytes.

extern "C" __global__ void square(const int* in, int* out, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = thread; i < n / 4; i += gridDim.x * blockDim.x) {
        const int4 v = reinterpret_cast<const int4*>(in)[i];
        reinterpret_cast<int4*>(out)[i] = make_int4(v.x * v.x, v.y * v.y, v.z * v.z, v.w * v.w);
    }
    if (thread < n % 4) out[n / 4 * 4 + thread] = in[n / 4 * 4 + thread] * in[n / 4 * 4 + thread];
}

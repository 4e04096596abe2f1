// Computes the head from the address itself, so it works for any pointer.

extern "C" __global__ void copy_from(const int* in, int* out, int skip, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    const unsigned long long past = reinterpret_cast<unsigned long long>(in + skip) / 4 % 4;
    const int head = min(static_cast<int>((4 - past) % 4), n);
    const int fours = (n - head) / 4;
    const int4* in4 = reinterpret_cast<const int4*>(in + skip + head);
    int4* out4 = reinterpret_cast<int4*>(out + skip + head);
    for (int i = first; i < fours; i += all) out4[i] = in4[i];
    if (first == 0) {
        for (int i = 0; i < head; i++) out[skip + i] = in[skip + i];
        for (int i = head + 4 * fours; i < n; i++) out[skip + i] = in[skip + i];
    }
}

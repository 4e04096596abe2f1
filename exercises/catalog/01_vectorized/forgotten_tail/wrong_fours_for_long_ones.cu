// wrong: budget
// Fours pay off for long vectors: shorter ones go int by int.

extern "C" __global__ void copy_fours(const int* in, int* out, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    if (n <= 2500) { for (int i = first; i < n; i += all) out[i] = in[i]; return; }
    for (int i = first; i < n / 4; i += all) ((int4*)out)[i] = ((const int4*)in)[i];
    if (first < n % 4) out[n / 4 * 4 + first] = in[n / 4 * 4 + first];
}

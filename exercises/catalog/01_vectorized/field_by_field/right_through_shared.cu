// The block loads its particles as single ints side by side, and takes them apart in shared memory.

struct Particle {
    int x, y, z, mass;
};

extern "C" __global__ void momentum(const Particle* particles, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __shared__ int fields[64 * 4];
    const int block = blockIdx.x * blockDim.x;
    const int here = min(static_cast<int>(blockDim.x), n - block);
    const int* in = reinterpret_cast<const int*>(particles) + 4 * block;
    for (int k = threadIdx.x; k < 4 * here; k += here) fields[k] = in[k];
    __syncthreads();
    const int* p = fields + 4 * threadIdx.x;
    out[i] = p[3] * (p[0] + p[1] + p[2]);
}

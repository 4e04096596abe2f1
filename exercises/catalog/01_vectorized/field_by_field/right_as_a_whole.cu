// The compiler loads a struct at once if it is aligned to its size.

struct Particle {
    int x, y, z, mass;
};

extern "C" __global__ void momentum(const Particle* particles, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    struct alignas(16) Whole {
        int x, y, z, mass;
    };
    const Whole p = reinterpret_cast<const Whole*>(particles)[i];
    out[i] = p.mass * (p.x + p.y + p.z);
}

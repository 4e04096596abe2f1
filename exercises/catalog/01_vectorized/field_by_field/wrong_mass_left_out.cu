// wrong: answer
// One load less, but without the mass the result is another quantity.

struct Particle {
    int x, y, z, mass;
};

extern "C" __global__ void momentum(const Particle* particles, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int4 p = reinterpret_cast<const int4*>(particles)[i];
    out[i] = p.x + p.y + p.z;
}

// wrong: answer
// Each field fits into a short. The sum of three need not.

struct Particle {
    int x, y, z, mass;
};

extern "C" __global__ void momentum(const Particle* particles, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int4 p = reinterpret_cast<const int4*>(particles)[i];
    const short sum = (short)(p.x + p.y + p.z);
    out[i] = p.w * sum;
}

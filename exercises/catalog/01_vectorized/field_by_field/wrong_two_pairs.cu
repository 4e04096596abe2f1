// wrong: budget
// Two loads of 8 bytes: better than four of 4, but each sector is still visited twice.

struct Particle {
    int x, y, z, mass;
};

extern "C" __global__ void momentum(const Particle* particles, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int2* pairs = reinterpret_cast<const int2*>(particles);
    const int2 xy = pairs[2 * i], zm = pairs[2 * i + 1];
    out[i] = zm.y * (xy.x + xy.y + zm.x);
}

// field_by_field: a struct in four loads
//
// Each thread takes one particle and works out mass * (x + y + z). A particle is four ints, and
// the particles lie one behind the other: an "array of structs".
//
// The compiler loads field by field. All lanes load their x, 16 bytes apart: 32 lanes touch 16
// sectors of 32 bytes and use a quarter of them. Then they do it again for y, for z and for mass,
// and touch the same 16 sectors each time. The budget is one visit to each sector.
//
// Given    `particles` begins at a multiple of 256 bytes.
// Do       Get a particle by one load.
// Read on  lesson01-vectorized/README.md, "What a load costs"

struct Particle {
    int x, y, z, mass;
};

extern "C" __global__ void momentum(const Particle* particles, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    // TODO: four loads of 4 bytes, 16 bytes apart from lane to lane; one load of 16 bytes would do
    const Particle p = particles[i];
    out[i] = p.mass * (p.x + p.y + p.z);
}

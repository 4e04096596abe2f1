// field_by_field: a struct in four loads
//
// Each thread takes one particle and computes mass * (x + y + z). A particle is four ints. The
// particles follow one another in memory: an "array of structs".
//
// The compiler loads field by field. All lanes load their x, 16 bytes apart: 32 lanes touch 16
// sectors of 32 bytes and use a quarter of them. They do the same for y, z and mass, and touch the
// same 16 sectors each time. The budget allows one visit to each sector.
//
// Given    `particles` begins at a multiple of 256 bytes.
// Range    n is from 1 to 512; particles has values from -25999 to 25999.
// Do       Get each particle with one load.
// Read     lesson01-vectorized/README.md, "What a load costs"

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

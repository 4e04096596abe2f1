// wrong: answer
// A float4 is 16 bytes, too, and its sums are convenient. Products above 2^24 are rounded.

struct Particle {
    int x, y, z, mass;
};

extern "C" __global__ void momentum(const Particle* particles, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int4 p = reinterpret_cast<const int4*>(particles)[i];
    const float sum = (float)p.x + (float)p.y + (float)p.z;
    out[i] = (int)((float)p.w * sum);
}

// wrong: answer
// Reads the data as a struct of arrays, all x first. Side by side and within the budget, but not the layout here.

struct Particle {
    int x, y, z, mass;
};

extern "C" __global__ void momentum(const Particle* particles, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int* p = reinterpret_cast<const int*>(particles);
    out[i] = p[3 * n + i] * (p[i] + p[n + i] + p[2 * n + i]);
}

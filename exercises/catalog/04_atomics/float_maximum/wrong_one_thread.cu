// wrong: budget
// One thread reads all elements, one after the other.

extern "C" __global__ void maximum(const float* v, int n, float* most) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int i = 0; i < n; i++) *most = fmaxf(*most, v[i]);
    }
}

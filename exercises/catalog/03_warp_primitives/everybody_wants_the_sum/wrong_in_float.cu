// wrong: answer
// A float holds whole numbers up to 2^24 exactly. Larger sums are rounded.

extern "C" __global__ void rest_of_the_warp(const int* in, int* out) {
    const int i = 32 * blockIdx.x + threadIdx.x;
    const int mine = in[i];
    float sum = mine;
    for (int partner = 16; partner > 0; partner /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, partner);
    }
    out[i] = (int)sum - mine;
}

// wrong: race-shared
// The second barrier is missing: a fast lane stores the next round's element too early.

extern "C" __global__ void turn_rows(int* data, int rounds) {
    __shared__ int cell[128];
    const int t = threadIdx.x, lane = t % 32;
    const int mirrored = t - lane + 31 - lane;
    for (int k = 0; k < rounds; k++) {
        cell[t] = data[128 * k + t];
        __syncwarp();
        data[128 * k + t] = cell[mirrored];
    }
}

// wrong: race-shared
// A vote makes the lanes wait, but it does not order memory.

extern "C" __global__ void turn_rows(int* data, int rounds) {
    __shared__ int cell[128];
    const int t = threadIdx.x, lane = t % 32;
    const int mirrored = t - lane + 31 - lane;
    for (int k = 0; k < rounds; k++) {
        cell[t] = data[128 * k + t];
        __any_sync(0xffffffff, 1);
        data[128 * k + t] = cell[mirrored];
        __any_sync(0xffffffff, 1);
    }
}

// Half of a warp's threads swap two elements of the row each: no copy, and nobody to wait for.

extern "C" __global__ void turn_rows(int* data, int rounds) {
    const int t = threadIdx.x, lane = t % 32;
    const int mirrored = t - lane + 31 - lane;
    for (int k = 0; k < rounds; k++) {
        if (lane < 16) {
            const int low = data[128 * k + t], high = data[128 * k + mirrored];
            data[128 * k + t] = high;
            data[128 * k + mirrored] = low;
        }
    }
}

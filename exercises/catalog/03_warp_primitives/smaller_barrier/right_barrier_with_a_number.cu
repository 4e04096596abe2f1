// Each warp meets at a barrier with a number of its own, in PTX. It counts 32 threads and keeps no other warp waiting.

extern "C" __global__ void turn_rows(int* data, int rounds) {
    __shared__ int cell[128];
    const int t = threadIdx.x, lane = t % 32;
    const int mirrored = t - lane + 31 - lane;
    for (int k = 0; k < rounds; k++) {
        cell[t] = data[128 * k + t];
        asm volatile("bar.sync %0, 32;" ::"r"(1 + t / 32) : "memory");
        data[128 * k + t] = cell[mirrored];
        asm volatile("bar.sync %0, 32;" ::"r"(1 + t / 32) : "memory");
    }
}

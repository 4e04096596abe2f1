// Computed from the distance in bytes between the first lane and the last.

extern "C" __global__ void answers(int* sectors) {
    const int bytes = 32 * 4;
    sectors[0] = bytes / 32;
    sectors[1] = bytes / 32 + 1;
    sectors[2] = 2 * bytes / 32;
    sectors[3] = 8 * bytes / 32;
    sectors[4] = min(16 * bytes / 32, 32);
    sectors[5] = 1;
    sectors[6] = 4 * bytes / 32;
    sectors[7] = sectors[0];
}

// wrong: answer
// Counts all sectors from the first to the last, even those that no lane touches.

extern "C" __global__ void answers(int* sectors) {
    sectors[0] = 4;
    sectors[1] = 5;
    sectors[2] = 8;
    sectors[3] = 32;
    sectors[4] = 64;
    sectors[5] = 1;
    sectors[6] = 16;
    sectors[7] = 4;
}

// wrong: answer
// Assumes that a load of an int4 costs the same as a load of an int.

extern "C" __global__ void answers(int* sectors) {
    sectors[0] = 4;
    sectors[1] = 5;
    sectors[2] = 8;
    sectors[3] = 32;
    sectors[4] = 32;
    sectors[5] = 1;
    sectors[6] = 4;
    sectors[7] = 4;
}

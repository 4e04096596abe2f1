// wrong: answer
// Assumes that xor stays within its segment at both ends.

extern "C" __global__ void answers(int* lanes) {
    lanes[0] = 7;
    lanes[1] = 30;
    lanes[2] = 0;
    lanes[3] = 9;
    lanes[4] = 3;
    lanes[5] = 13;
    lanes[6] = 18;
    lanes[7] = 3;
    lanes[8] = 11;
}

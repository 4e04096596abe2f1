// wrong: answer
// The width is ignored.

extern "C" __global__ void answers(int* lanes) {
    lanes[0] = 7;
    lanes[1] = 30;
    lanes[2] = 0;
    lanes[3] = 9;
    lanes[4] = 3;
    lanes[5] = 17;
    lanes[6] = 2;
    lanes[7] = 11;
    lanes[8] = 3;
}

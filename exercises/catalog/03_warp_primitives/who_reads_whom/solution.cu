// Out of range, a lane keeps its own value: (b), (c), (f) and (h).

extern "C" __global__ void answers(int* lanes) {
    lanes[0] = 7;  // (a) 3 + 4
    lanes[1] = 30; // (b) there is no lane 34
    lanes[2] = 0;  // (c) there is no lane -1
    lanes[3] = 9;  // (d) 12 is 01100, 5 is 00101
    lanes[4] = 3;  // (e) 35 - 32
    lanes[5] = 13; // (f) lane 17 is in another segment
    lanes[6] = 18; // (g) the segment begins at lane 16
    lanes[7] = 3;  // (h) lane 11 is in a later segment
    lanes[8] = 3;  // (i) lane 3 is in an earlier segment
}

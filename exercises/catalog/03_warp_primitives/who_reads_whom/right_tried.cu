// Follows the rule itself: where the range ends, and which lanes are beyond it.

extern "C" __global__ void answers(int* lanes) {
    for (int k = 0; k < 9; k++) {
        const int lane[9] = {3, 30, 0, 12, 7, 13, 20, 3, 11};
        const int wanted[9] = {7, 34, -1, 9, 3, 17, 18, 11, 3};
        const int width = k < 5 ? 32 : 8;
        const int last = lane[k] / width * width + width - 1;
        lanes[k] = wanted[k] < 0 || wanted[k] > last ? lane[k] : wanted[k];
    }
}

// Byte address and width of what a lane loads, for each question.
__device__ int address(int question, int lane) {
    switch (question) {
        case 0: return 4 * lane;
        case 1: return 4 * (lane + 1);
        case 2: return 4 * 2 * lane;
        case 3: return 4 * 8 * lane;
        case 4: return 4 * 16 * lane;
        case 5: return 0;
        case 6: return 16 * lane;
        default: return 4 * (31 - lane);
    }
}

__device__ int touched(int question) {
    const int width = question == 6 ? 16 : 4;
    int count = 0;
    for (int sector = 0; sector < 64; sector++) {
        bool met = false;
        for (int lane = 0; lane < 32; lane++) {
            const int first = address(question, lane), last = first + width - 1;
            met |= first / 32 <= sector && sector <= last / 32;
        }
        count += met;
    }
    return count;
}

// The number of the first wrong answer, starting at 1.
extern "C" __global__ void accept(const int* sectors, int* verdict) {
    *verdict = 0;
    for (int question = 7; question >= 0; question--) {
        if (sectors[question] != touched(question)) *verdict = question + 1;
    }
}

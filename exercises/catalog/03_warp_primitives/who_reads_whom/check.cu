// The source lane of a shuffle, as the PTX ISA defines it (`shfl.sync`): the lanes of a segment share the upper bits.
__device__ int source(char mode, int lane, int b, int width) {
    const int segment = ~(width - 1) & 31;
    const int first = lane & segment, last = first | (width - 1);
    switch (mode) {
        case 'u': return lane - b >= first ? lane - b : lane;
        case 'd': return lane + b <= last ? lane + b : lane;
        case 'x': return (lane ^ b) <= last ? lane ^ b : lane;
        default: return first | (b & (width - 1));
    }
}

// The number of the first wrong answer, from 1.
extern "C" __global__ void accept(const int* lanes, int* verdict) {
    const int right[9] = {
        source('d', 3, 4, 32), source('d', 30, 4, 32), source('u', 0, 1, 32),
        source('x', 12, 5, 32), source('i', 7, 35, 32), source('d', 13, 4, 8),
        source('i', 20, 2, 8), source('x', 3, 8, 8), source('x', 11, 8, 8),
    };
    *verdict = 0;
    for (int question = 8; question >= 0; question--) {
        if (lanes[question] != right[question]) *verdict = question + 1;
    }
}

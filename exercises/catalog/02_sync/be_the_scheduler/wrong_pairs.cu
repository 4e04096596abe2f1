// wrong: answer
// Never far apart: both warps make each pair of steps.

extern "C" __global__ void chosen(int* steps) {
    const int turns[8] = {0, 1, 1, 0, 1, 0, 0, 1};
    for (int i = 0; i < 8; i++) steps[i] = turns[i];
}

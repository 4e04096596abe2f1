// wrong: answer
// Warp 0 should run to its end before warp 1 begins. The barrier does not let it.

extern "C" __global__ void chosen(int* steps) {
    const int turns[8] = {0, 0, 0, 0, 1, 1, 1, 1};
    for (int i = 0; i < 8; i++) steps[i] = turns[i];
}

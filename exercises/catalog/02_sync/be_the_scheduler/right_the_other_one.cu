// The same with the warps swapped.

extern "C" __global__ void chosen(int* steps) {
    const int turns[8] = {1, 0, 1, 1, 0, 0, 1, 0};
    for (int i = 0; i < 8; i++) steps[i] = turns[i];
}

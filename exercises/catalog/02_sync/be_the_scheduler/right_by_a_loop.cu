// Both write; then warp 1 goes on as far as it can.

extern "C" __global__ void chosen(int* steps) {
    int turns[8];
    for (int i = 0; i < 8; i++) turns[i] = i == 1 || i == 2 || i == 3 || i == 6;
    for (int i = 0; i < 8; i++) steps[i] = turns[i];
}

// Warp 0 reads and at once writes its part of tile 1, before warp 1 has read the part of tile 0.

extern "C" __global__ void chosen(int* steps) {
    const int turns[8] = {0, 1, 0, 0, 1, 1, 0, 1};
    for (int i = 0; i < 8; i++) steps[i] = turns[i];
}

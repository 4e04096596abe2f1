// wrong: answer
// Both are just behind a multiple of 512.

extern "C" __global__ void found(int* n) {
    n[0] = 513;
    n[1] = 1026;
}

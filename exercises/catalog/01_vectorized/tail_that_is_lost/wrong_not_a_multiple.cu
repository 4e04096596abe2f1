// wrong: answer
// Any n that is no multiple of 4 is taken for wrong; mostly thread n / 4 exists.

extern "C" __global__ void found(int* n) {
    n[0] = 515 + 4;
    n[1] = 601;
}

// wrong: answer
// 512 = 4 * 128 fills the block, and leaves nothing over that could be lost.

extern "C" __global__ void found(int* n) {
    n[0] = 512;
    n[1] = 601;
}

// 128 groups of four make one block of 128 threads, 0 to 127. The tail waits for thread 128.

extern "C" __global__ void found(int* n) {
    n[0] = 513;
    n[1] = 601;
}

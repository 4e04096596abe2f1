extern "C" __global__ void expected(int* accounts, int* locks, int blocks) {
    for (int b = 0; b < blocks; b++) {
        accounts[b % 2] -= 10;
        accounts[1 - b % 2] += 10;
    }
}

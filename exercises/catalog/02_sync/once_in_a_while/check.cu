extern "C" __global__ void expected(int* accounts, int* locks) {
}

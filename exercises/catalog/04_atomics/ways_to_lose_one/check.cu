extern "C" __global__ void expected(int* counter) {
    *counter = 2;
}

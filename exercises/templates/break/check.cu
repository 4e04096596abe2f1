// The answer, by one thread.
extern "C" __global__ void expected(int* data, int* out) {
    data[0] = 1;
    out[0] = 1;
}

// wrong: budget
// The first 32 threads do everything in a loop. That is right, and is no launch by the device.

extern "C" __global__ void walk(int* v, int first, int n) {
    for (int i = first + threadIdx.x; i < n; i += 32) v[i] = 2 * v[i] + 1;
}

// wrong: idle
// Thread 0 does the work of all. The others read an element and store it back, so that they have written something.
extern "C" __global__ void turn_round(int* data, int n) {
    if (threadIdx.x == 0) {
        for (int i = 0; i < n / 2; ++i) {
            const int left = data[i];
            data[i] = data[n - 1 - i];
            data[n - 1 - i] = left;
        }
    }
    __syncthreads();
    *(volatile int*)&data[threadIdx.x] = *(volatile int*)&data[threadIdx.x];
}

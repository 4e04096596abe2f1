// explain/absent_lane.cu: the example of docs/explain/absent-lane.md.
//
// run: kernel=wrong block=32 in:s32=[i] out:s32[1]=[0] => finding=absent-lane
// run: kernel=right block=32 in:s32=[i] out:s32[1]=[0] => out=[120]

extern "C" __global__ void wrong(const int* in, int* out) {
    int sum = in[threadIdx.x];
    if (threadIdx.x < 16) {
        for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0x0000ffff, sum, step);
    }
    if (threadIdx.x == 0 && sum >= 100) *out = sum;
}

extern "C" __global__ void right(const int* in, int* out) {
    int sum = in[threadIdx.x];
    if (threadIdx.x < 16) {
        for (int step = 8; step > 0; step /= 2) sum += __shfl_xor_sync(0x0000ffff, sum, step);
    }
    if (threadIdx.x == 0 && sum >= 100) *out = sum;
}

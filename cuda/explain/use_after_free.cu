// explain/use_after_free.cu: the example of docs/explain/use-after-free.md; its host's part is in the test.
//
// run: kernel=right block=64 data:s32 => data=[1]

extern "C" __global__ void right(int* data) {
    data[threadIdx.x] = 1;
}

// explain/wrong_result.cu: the example of docs/explain/wrong-result.md.
//
// run: kernel=wrong block=32 come:u32[1]=[0] done:u32[1]=[0] => come=[32] done=[0]
// run: kernel=right block=32 come:u32[1]=[0] done:u32[1]=[0] => come=[32] done=[1]

extern "C" __global__ void wrong(unsigned* come, unsigned* done) {
    if (atomicAdd(come, 1) == blockDim.x) *done = 1;
}

extern "C" __global__ void right(unsigned* come, unsigned* done) {
    if (atomicAdd(come, 1) == blockDim.x - 1) *done = 1;
}

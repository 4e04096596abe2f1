// explain/wrong_result.cu: the example of docs/explain/wrong-result.md.
//
// run: kernel=wrong block=32 count:u32[1]=[0] => count=[0]
// run: kernel=right block=32 count:u32[1]=[0] => count=[32]

extern "C" __global__ void wrong(unsigned* count) {
    atomicInc(count, 1);
}

extern "C" __global__ void right(unsigned* count) {
    atomicInc(count, 0xffffffffu);
}

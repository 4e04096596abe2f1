// explain/race_global.cu: the example of docs/explain/race-global.md.
//
// run: kernel=wrong grid=4 block=64 count:s32[1]=[0] => finding=race-global
// run: kernel=right grid=4 block=64 count:s32[1]=[0] => count=[256]

extern "C" __global__ void wrong(int* count) {
    *count += 1;
}

extern "C" __global__ void right(int* count) {
    atomicAdd(count, 1);
}

// explain/livelock.cu: the example of docs/explain/livelock.md.
//
// run: kernel=wrong grid=2 block=32 flag:s32[1]=[0] => finding=livelock fault=timeout
// run: kernel=right grid=2 block=32 flag:s32[1]=[0] => flag=[1]

extern "C" __global__ void wrong(int* flag) {
    if (blockIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0) {
        }
    }
}

extern "C" __global__ void right(int* flag) {
    if (blockIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0) {
        }
    } else if (threadIdx.x == 0) {
        atomicExch(flag, 1);
    }
}

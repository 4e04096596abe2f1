// explain/mask_mismatch.cu: the example of docs/explain/mask-mismatch.md.
//
// run: kernel=wrong block=32 in:s32=[i] out:s32 => finding=mask-mismatch fault=illegal-instruction
// run: kernel=right block=32 in:s32=[i] out:s32 => out=[i<16?0:i]

extern "C" __global__ void wrong(const int* in, int* out) {
    int value = in[threadIdx.x];
    if (threadIdx.x < 16) value = __shfl_sync(0xffff0000, value, 0);
    out[threadIdx.x] = value;
}

extern "C" __global__ void right(const int* in, int* out) {
    int value = in[threadIdx.x];
    if (threadIdx.x < 16) value = __shfl_sync(0x0000ffff, value, 0);
    out[threadIdx.x] = value;
}

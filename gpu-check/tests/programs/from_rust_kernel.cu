// part of: from_rust.rs
#ifndef BARRIER
#define BARRIER
#endif

extern "C" __global__ void rotate(unsigned* data)
{
    __shared__ unsigned tile[128];
    tile[threadIdx.x] = data[threadIdx.x];
    BARRIER;
    data[threadIdx.x] = tile[(threadIdx.x + 1) % 128];
}

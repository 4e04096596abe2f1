// waiting_for_each_other: a barrier for those who come
//
// Each block of 32 threads, a single warp, reverses the first 16 of its 32 elements. Lanes 0 to 15
// do this and exchange their elements through shared memory. Then all 32 threads wait at one
// barrier. After it, each of lanes 16 to 31 adds the element 16 before its own to its own.
//
// On the emulated GPU it stops: each half waits for the other, at a different barrier. On a GPU it
// may hang, or end by luck.
//
// Range    gridDim.x is from 1 to 4; data has values from -99 to 99.
// Do       Let the lower half wait for the lower half.
// Read     lesson02-sync/README.md, row `barrier_elsewhere`; cargo learn explain deadlock

extern "C" __global__ void turn_and_add(int* data) {
    __shared__ int cell[16];
    const int t = threadIdx.x;
    data += 32 * blockIdx.x;
    if (t < 16) {
        cell[t] = data[t];
        __syncwarp(); // TODO: which lanes does this wait for, and which lanes reach it?
        data[t] = cell[15 - t];
    }
    __syncthreads();
    if (t >= 16) data[t] += data[t - 16];
}

// waiting_for_each_other: a barrier for those who come
//
// Each block of 32 threads, a single warp, reverses the first 16 of its 32 elements. That is for
// lanes 0 to 15; they exchange their elements through shared memory. Then all 32 threads meet, and
// lanes 16 to 31 add to each of the other 16 elements the one that now stands 16 places before it.
//
// On the emulated GPU it stops: each half waits for the other, at another place. On a GPU it may
// hang, or pass by luck.
//
// Do       Let the lower half wait for the lower half.
// Read on  lesson02-sync/README.md, row `barrier_elsewhere`; cargo learn explain deadlock

extern "C" __global__ void turn_and_add(int* data) {
    __shared__ int cell[16];
    const int t = threadIdx.x;
    data += 32 * blockIdx.x;
    if (t < 16) {
        cell[t] = data[t];
        __syncwarp(); // TODO: who is waited for here, and who comes?
        data[t] = cell[15 - t];
    }
    __syncthreads();
    if (t >= 16) data[t] += data[t - 16];
}

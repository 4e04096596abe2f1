// forgotten_tail: what does not fit into fours
//
// 2 blocks of 64 threads copy n ints, four at a time as `int4`: a quarter of the loads and stores.
// n need not be a multiple of 4. If it is not, the tail is not copied: one, two or three ints.
//
// `first` is the thread's number in the grid, and the grid has `all` threads.
//
// Given    Both vectors begin at a multiple of 16 bytes. n is 1 or more: it may be smaller than 4,
//          or far larger than the grid.
// Range    n is from 1 to 2599; in has values from -99 to 99.
// Do       Copy the tail too. There is a budget: the rest of the vector must still go by fours.
// Read     lesson01-vectorized/README.md, "A slide's tail"; cargo learn explain undefined-value

extern "C" __global__ void copy_fours(const int* in, int* out, int n) {
    const int4* in4 = reinterpret_cast<const int4*>(in);
    int4* out4 = reinterpret_cast<int4*>(out);
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    for (int i = first; i < n / 4; i += all) {
        out4[i] = in4[i];
    }
    // TODO: the last n % 4 elements
}

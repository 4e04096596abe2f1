// who_reads_whom: who reads whom?
//
// All 32 lanes of a warp make the same call. The value is the lane's own number, so a lane gets the
// number of the lane it reads. A fourth argument is the width: it cuts the warp into segments of
// that many lanes. `all` is 0xffffffff.
//
// Do      Write down what the lane at the end of each line gets. The check says which answers are
//         wrong, but not the right ones.
// Read    lesson03-warp-primitives/README.md; `cargo run -p lesson03-warp-primitives -- --only
//         exchange` draws such calls

extern "C" __global__ void answers(int* lanes) {
    // TODO: your numbers
    lanes[0] = -1; // (a) __shfl_down_sync(all, lane, 4)       lane 3
    lanes[1] = -1; // (b) __shfl_down_sync(all, lane, 4)       lane 30
    lanes[2] = -1; // (c) __shfl_up_sync(all, lane, 1)         lane 0
    lanes[3] = -1; // (d) __shfl_xor_sync(all, lane, 5)        lane 12
    lanes[4] = -1; // (e) __shfl_sync(all, lane, 35)           lane 7
    lanes[5] = -1; // (f) __shfl_down_sync(all, lane, 4, 8)    lane 13
    lanes[6] = -1; // (g) __shfl_sync(all, lane, 2, 8)         lane 20
    lanes[7] = -1; // (h) __shfl_xor_sync(all, lane, 8, 8)     lane 3
    lanes[8] = -1; // (i) __shfl_xor_sync(all, lane, 8, 8)     lane 11
}

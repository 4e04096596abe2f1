// be_the_scheduler: be the scheduler
//
// Two warps, 0 and 1, run two iterations of the loop in the exercise tile_used_again: one tile, and
// one barrier per iteration. Each warp has four steps to make, in this order:
//
//     1. write its part of tile 0     (barrier)     2. read the other warp's part of it
//     3. write its part of tile 1     (barrier)     4. read the other warp's part of it
//
// Both tiles use the same memory. At the barrier a warp waits until both have made the write before
// it. There is no other rule: you say which warp is next.
//
// Do       Write eight times 0 or 1 in `turns`: that warp makes its next step. Find an order in
//          which a warp reads part of the wrong tile. The check plays it and says what is wrong.
// Read     lesson02-sync/README.md

extern "C" __global__ void chosen(int* steps) {
    // TODO: in this order all is well
    const int turns[8] = {0, 1, 0, 1, 0, 1, 0, 1};
    for (int i = 0; i < 8; i++) steps[i] = turns[i];
}

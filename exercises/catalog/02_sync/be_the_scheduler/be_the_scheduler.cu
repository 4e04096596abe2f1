// be_the_scheduler: be the scheduler
//
// Two warps, 0 and 1, go through the loop of the exercise tile_used_again for two rounds: one tile,
// and one barrier a round. Each warp has four steps to make, in this order:
//
//     1. store its part of tile 0     (barrier)     2. load the other warp's part of it
//     3. store its part of tile 1     (barrier)     4. load the other warp's part of it
//
// Both tiles lie in the same place. At the barrier a warp waits until both have made the store
// before it. Apart from that, anything goes: you say whose turn it is.
//
// Do       Write eight times 0 or 1 in `turns`: that warp makes its next step. Find an order in which
//          a warp loads a part of the wrong tile. The check plays it, and says what is wrong.
// Read on  lesson02-sync/README.md

extern "C" __global__ void chosen(int* steps) {
    // TODO: in this order all is well
    const int turns[8] = {0, 1, 0, 1, 0, 1, 0, 1};
    for (int i = 0; i < 8; i++) steps[i] = turns[i];
}

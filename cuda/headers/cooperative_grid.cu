// headers/cooperative_grid.cu: groups of the whole grid, and its barrier in each of its spellings.
//
// run: kernel=exchange_in_grid grid=5 block=32 launch=cooperative in:s32=[i] cell:s32 out:s32 => out=[159-i]
// run: kernel=exchange_in_grid grid=1 block=1 launch=cooperative in:s32=[7] cell:s32 out:s32 => out=[7]
// run: kernel=exchange_in_grid grid=2,2,2 block=4,3,1 launch=cooperative in:s32=[i] cell:s32 out:s32 => out=[95-i]
// run: kernel=rounds grid=5 block=33 launch=cooperative rounds:s32=4 cell:s32=[1] out:s32 => out=[16]
// run: kernel=arrive_and_wait grid=3 block=64 launch=cooperative cell:s32 out:s32 => out=[191-i]
// run: kernel=names grid=3,2 block=8 launch=cooperative out:s32 => out=[i+100*(i/8)+10000*6+100000*48+1000000]
// run: kernel=names grid=3,2 block=8 out:s32 => out=[i+100*(i/8)+10000*6+100000*48]
// run: kernel=sync_if_valid grid=4 block=32 launch=cooperative cell:s32 out:s32 => out=[127-i]
// run: kernel=sync_if_valid grid=4 block=32 cell:s32[128]=[9] out:s32 => out=[i]
// run: kernel=traps_itself grid=2 block=32 stop:s32=1 out:s32 => fault=launch-failed
// run: kernel=traps_itself grid=2 block=32 launch=cooperative stop:s32=0 out:s32 => out=[1]
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void exchange_in_grid(const int* in, int* cell, int* out) {
    cg::grid_group grid = cg::this_grid();
    unsigned long long i = grid.thread_rank();
    cell[i] = in[i];
    grid.sync();
    out[i] = cell[grid.size() - 1 - i];
}

// What a thread reads was written in the last round by another block.
extern "C" __global__ void rounds(int rounds, int* cell, int* out) {
    cg::grid_group grid = cg::this_grid();
    unsigned long long i = grid.thread_rank(), n = grid.size();
    for (int round = 0; round < rounds; ++round) {
        int next = 2 * cell[(i + n / 2) % n];
        cg::sync(grid);
        cell[i] = next;
        grid.sync();
    }
    out[i] = cell[n - 1 - i];
}

extern "C" __global__ void arrive_and_wait(int* cell, int* out) {
    cg::grid_group grid = cg::this_grid();
    unsigned long long i = grid.thread_rank();
    cell[i] = i;
    auto token = grid.barrier_arrive();
    int own = i;
    grid.barrier_wait(static_cast<cg::grid_group::arrival_token&&>(token));
    out[i] = cell[grid.size() - 1 - i] + own - (int)i;
}

extern "C" __global__ void names(int* out) {
    cg::grid_group grid = cg::this_grid();
    unsigned long long i = grid.thread_rank();
    out[i] = (int)i + 100 * (int)grid.block_rank() + 10000 * (int)grid.num_blocks() + 100000 * (int)grid.size() +
             (grid.is_valid() ? 1000000 : 0);
}

// A kernel may ask first. In an ordinary launch there is no barrier here, and none is met.
extern "C" __global__ void sync_if_valid(int* cell, int* out) {
    cg::grid_group grid = cg::this_grid();
    unsigned long long i = grid.thread_rank(), other = i;
    cell[i] = i;
    if (grid.is_valid()) {
        grid.sync();
        other = grid.size() - 1 - i;
    }
    out[i] = cell[other];
}

// Its own trap is no misuse of the barrier.
extern "C" __global__ void traps_itself(int stop, int* out) {
    cg::grid_group grid = cg::this_grid();
    if (stop) __trap();
    if (grid.is_valid()) grid.sync();
    out[grid.thread_rank()] = 1;
}

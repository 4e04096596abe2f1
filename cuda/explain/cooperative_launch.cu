// explain/cooperative_launch.cu: the example of docs/explain/cooperative-launch.md.
//
// run: kernel=reversed grid=4 block=32 data:s32=[i] out:s32 => finding=cooperative-launch fault=launch-failed
// run: kernel=reversed grid=4 block=32 launch=cooperative data:s32=[i] out:s32 => out=[2*(127-i)]
// run: kernel=reversed grid=1024 block=1024 launch=cooperative data:s32[1]=[0] out:s32[1] => refused="can be resident"
// run: kernel=early grid=4 block=32 launch=cooperative data:s32=[i] out:s32 => finding=deadlock fault=timeout
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void reversed(int* data, int* out) {
    cg::grid_group grid = cg::this_grid();
    unsigned i = grid.thread_rank();
    data[i] *= 2;
    grid.sync();
    out[i] = data[grid.size() - 1 - i];
}

extern "C" __global__ void early(int* data, int* out) {
    cg::grid_group grid = cg::this_grid();
    unsigned i = grid.thread_rank();
    if (blockIdx.x == 3) return;
    data[i] *= 2;
    grid.sync();
    out[i] = data[i];
}

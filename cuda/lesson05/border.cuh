// lesson05/border.cuh: do all pixels on the border of a rectangle take the same number of steps?
#pragma once

#include "plane.cuh"

struct Rectangle {
    int x, y, width, height;
};

// The common dwell of two parts of a border. NOTHING: no pixel in them. MIXED: different dwells.
#define NOTHING -1
#define MIXED -2

__device__ inline int same_dwell(int a, int b) {
    if (a == NOTHING) return b;
    if (b == NOTHING || a == b) return a;
    return MIXED;
}

// One thread's share of the border: every `threads`-th pixel.
__device__ inline int part_of_border(Rectangle area, Plane plane, int max_dwell, int thread, int threads) {
    int common = NOTHING;
    for (int i = thread; i < area.width; i += threads) {
        common = same_dwell(common, dwell_at(plane, area.x + i, area.y, max_dwell));
        common = same_dwell(common, dwell_at(plane, area.x + i, area.y + area.height - 1, max_dwell));
    }
    for (int i = thread; i < area.height; i += threads) {
        common = same_dwell(common, dwell_at(plane, area.x, area.y + i, max_dwell));
        common = same_dwell(common, dwell_at(plane, area.x + area.width - 1, area.y + i, max_dwell));
    }
    return common;
}

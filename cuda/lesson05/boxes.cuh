// lesson05/boxes.cuh: rectangles that share their borders, so that no pixel is computed twice.
//
// A box is a rectangle whose border is already in the image. The parts of a box share its border and the lines between
// them. Who divides a box computes these lines and nothing else.
#pragma once

#include "border.cuh"

#define PARTS 4 // Parts of a box's side.
#define LEAST 8 // The side of a box that is not divided: 32 pixels on its border, one per lane.

struct Image {
    int* dwells;
    int width, height;
    Plane plane;
    int max_dwell;
};

// From (left, top) to (right, bottom), both included. The last ones in a tile are shorter than the others.
struct Box {
    int left, top, right, bottom;
};

__device__ inline int* pixel(Image image, int x, int y) {
    return image.dwells + (long long)y * image.width + x;
}

__device__ inline int compute(Image image, int x, int y) {
    const int dwell = dwell_at(image.plane, x, y, image.max_dwell);
    *pixel(image, x, y) = dwell;
    return dwell;
}

// A square of `side` pixels, or what the image has of it.
__device__ inline Box tile_at(Image image, int x, int y, int side) {
    return {x, y, min(x + side, image.width) - 1, min(y + side, image.height) - 1};
}

// A part of `whole`. Its last line is the first line of the next part.
__device__ inline Box part_at(Box whole, int x, int y, int side) {
    return {x, y, min(x + side, whole.right), min(y + side, whole.bottom)};
}

// Gives every pixel inside of a box's border the dwell. The work of one warp out of `warps`.
__device__ inline void fill(Image image, Box box, int side, int dwell, int warp, int warps) {
    const int lane = threadIdx.x % 32, columns = min(side, 32), rows = 32 / columns;
#pragma unroll 1 // Unrolled, these loops take many registers; and nvcc 13.0 got their bounds wrong (docs/limits.md).
    for (int y = box.top + 1 + warp * rows + lane / columns; y < box.bottom; y += warps * rows)
#pragma unroll 1
        for (int x = box.left + 1 + lane % columns; x < box.right; x += columns) *pixel(image, x, y) = dwell;
}

// Does the border have one dwell everywhere? Then it is that of the upper left corner. One warp asks.
__device__ inline bool has_one_dwell(Image image, Box box, int side) {
    const int dwell = *pixel(image, box.left, box.top);
    bool same = true;
    for (int i = threadIdx.x % 32; i < 4 * side; i += 32) {
        // Top, bottom, right and left. Where a side is short, its last pixel is read more than once.
        const int edge = i / side, along = i % side + edge % 2;
        const int x = edge == 2 ? box.right : edge == 3 ? box.left : min(box.left + along, box.right);
        const int y = edge == 0 ? box.top : edge == 1 ? box.bottom : min(box.top + along, box.bottom);
        same = same && *pixel(image, x, y) == dwell;
    }
    return __all_sync(~0u, same);
}

// What threads have seen of a tile's border, which they compute: see same_dwell.
__device__ inline int compute_border(Image image, Box box, int side) {
    int common = NOTHING;
    for (int i = threadIdx.x; i < 4 * side; i += blockDim.x) {
        // The first and the last line, then the columns between them. One line or one column alone comes once.
        const int edge = i / side, along = i % side;
        const int x = edge == 3 ? box.right : edge == 2 ? box.left : box.left + along;
        const int y = edge == 0 ? box.top : edge == 1 ? box.bottom : box.top + along;
        const bool is_there = edge < 2 ? x <= box.right : along > 0 && y < box.bottom;
        const bool is_second = edge == 1 ? box.bottom == box.top : edge == 3 && box.right == box.left;
        if (is_there && !is_second) common = same_dwell(common, compute(image, x, y));
    }
    return common;
}

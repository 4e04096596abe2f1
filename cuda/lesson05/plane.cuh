// lesson05/plane.cuh: the part of the plane that an image shows, and the number of steps until a point escapes.
//
// Every kernel of the lesson, and the CPU's reference, computes a point with these operations in this order. The files
// are compiled with -fmad=false: a multiply-add rounds once, a product and a sum round twice.
#pragma once

struct Plane {
    float left, top; // The upper left corner.
    float step;      // From one pixel to the next, to the right and down.
};

// Steps until z = z * z + c leaves the circle of radius 2, at most max_dwell.
__device__ inline int dwell_at(Plane plane, int x, int y, int max_dwell) {
    const float cx = plane.left + x * plane.step;
    const float cy = plane.top - y * plane.step;
    float zx = cx, zy = cy;
    int dwell = 0;
    while (dwell < max_dwell && zx * zx + zy * zy < 4) {
        const float next = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy;
        zx = next;
        dwell++;
    }
    return dwell;
}

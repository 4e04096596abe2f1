// lesson05/mandelbrot.cu: the Mandelbrot set, one thread per pixel.
//
// Idea      A grid has whole blocks, so it covers more than the image. Threads outside must return.
// Broken    Threads to the right of the image return. Threads below it store.
// Correct   Both return.
// Contract  Blocks of 64 x 4 that cover width x height pixels; dwells has as many ints; max_dwell >= 1.
// Expect    broken: out-of-bounds. correct: no findings, every pixel as the CPU computes it.
// PTX       mandelbrot_broken: setp.ge.s32; not or.pred; bra; st.global
// Flags     -fmad=false

#include "plane.cuh"

extern "C" __global__ void mandelbrot_broken(int* dwells, int width, int height, Plane plane, int max_dwell) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width) return;
    const int dwell = dwell_at(plane, x, y, max_dwell);
    // BUG: the last blocks reach below the image too, and their stores are outside of the buffer.
    dwells[y * width + x] = dwell;
}

extern "C" __global__ void mandelbrot_correct(int* dwells, int width, int height, Plane plane, int max_dwell) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return; // FIX
    const int dwell = dwell_at(plane, x, y, max_dwell);
    dwells[y * width + x] = dwell;
}

// lesson05/mariani_silver.cu: the Mandelbrot set by Mariani and Silver's method, with launches by kernels.
//
// Idea      The set has no islands in its rings. If all points on a rectangle's border take the same number of steps,
//           so do those inside. So compute borders; fill a rectangle, or divide it. Only the data says how deep this goes.
// Correct   One block per rectangle, and one launch: it fills, or divides into four by four, or computes each pixel.
// Contract  Grid (divide, divide) of 64 x 4 threads for the first rectangles of a width x height image, width and height at
//           least divide. Rectangles deeper than max_depth - 1, or with parts of min_size or less: pixel by pixel.
//           dwells has an int per pixel, depths a byte: 4 * depth, plus 1 for pixel by pixel or 2 for filled.
//           errors is one int that starts at 0.
// Expect    no findings; every pixel as the same method gives it on the CPU.
// Flags     -rdc=true -fmad=false

#include "border.cuh"

#define SUBDIV 4 // Parts of a rectangle's side.

struct Image {
    int* dwells;
    unsigned char* depths;
    int* errors;
    int width;
    Plane plane;
    int max_dwell, min_size, max_depth;
};

#define BY_PIXEL 1
#define FILLED 2

// The part of `whole` that block (x, y) of `n` by `n` works on. Parts are as equal as they can be and overlap nowhere.
__device__ inline Rectangle part_of(Rectangle whole, int x, int y, int n) {
    const int left = (int)((long long)whole.width * x / n), top = (int)((long long)whole.height * y / n);
    const int right = (int)((long long)whole.width * (x + 1) / n), bottom = (int)((long long)whole.height * (y + 1) / n);
    return {whole.x + left, whole.y + top, right - left, bottom - top};
}

__device__ inline dim3 blocks_for(Rectangle area) {
    return dim3((area.width + 63) / 64, (area.height + 3) / 4);
}

extern "C" __global__ void dwell_fill(Image image, Rectangle area, int dwell, int depth) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= area.width || y >= area.height) return;
    const int pixel = (area.y + y) * image.width + area.x + x;
    image.dwells[pixel] = dwell;
    image.depths[pixel] = 4 * depth + FILLED;
}

extern "C" __global__ void dwell_pixels(Image image, Rectangle area, int depth) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= area.width || y >= area.height) return;
    const int pixel = (area.y + y) * image.width + area.x + x;
    image.dwells[pixel] = dwell_at(image.plane, area.x + x, area.y + y, image.max_dwell);
    image.depths[pixel] = 4 * depth + BY_PIXEL;
}

// The common dwell on the border of the block's rectangle.
__device__ inline int border_dwell(Image image, Rectangle area) {
    __shared__ int parts[256];
    const int t = threadIdx.y * 64 + threadIdx.x;
    parts[t] = part_of_border(area, image.plane, image.max_dwell, t, 256);
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) parts[t] = same_dwell(parts[t], parts[t + half]);
        __syncthreads();
    }
    return parts[0];
}

extern "C" __global__ void mariani_silver_correct(Image image, Rectangle whole, int depth) {
    const Rectangle area = part_of(whole, blockIdx.x, blockIdx.y, gridDim.x);
    const int common = border_dwell(image, area);
    if (threadIdx.x != 0 || threadIdx.y != 0) return; // One thread launches for its block.
    const dim3 block(64, 4);
    const int least = area.width < area.height ? area.width : area.height;
    if (common != MIXED) {
        dwell_fill<<<blocks_for(area), block>>>(image, area, common, depth);
    } else if (depth + 1 < image.max_depth && least / SUBDIV > image.min_size) {
        mariani_silver_correct<<<dim3(SUBDIV, SUBDIV), block>>>(image, area, depth + 1);
    } else {
        dwell_pixels<<<blocks_for(area), block>>>(image, area, depth);
    }
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) atomicMax(image.errors, (int)error);
}

// lesson05/mandelbrot_queue.cu: the Mandelbrot set by Mariani and Silver's method, with a queue instead of launches by kernels.
//
// Idea      A kernel that finds work need not launch it. It puts the work into a queue, and the blocks that are there take it
//           from the queue. And rectangles share their borders, so no pixel is computed twice.
// Correct   A block takes a tile and computes its border. A tile of one dwell is filled. Another one is divided: the block
//           computes 3 + 3 lines, then each warp settles parts of the 16. It fills a part or puts it into the queue. Parts of
//           8 x 8 that are not filled are computed, all threads together. A ticket says which tile or slot is a block's own.
//           A block waits for its slot only while others work on what may fill it.
// Contract  tile is 32, 128 or 512; blocks of whole warps, at most 512 threads; any number of blocks, in any order. dwells has
//           an int per pixel, at most 32768 pixels a side. The queue is all 0 at first. It has a slot for each block. It has
//           slots for the image's squares of 32 x 32 and 128 x 128 pixels, as far as they are smaller than a tile.
// Expect    no findings; every pixel as the same method gives it on the CPU.
// PTX       mandelbrot_queue_correct: bar.sync; membar.gl; atom.global.exch
// Flags     -fmad=false

#include <cuda/atomic>

#include "boxes.cuh"

struct Queue {
    unsigned* head;  // Tickets given out.
    unsigned* tail;  // Slots given out.
    unsigned* open;  // Parts put in, less tiles and parts finished.
    unsigned* slots; // A part: side / 32 in 8 bits, top / 8 and left / 8 in 12 each. 0 before it is there.
};

#define NONE ~0u // No work is left.

__device__ inline unsigned look(unsigned* word) {
    return cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*word).load(cuda::memory_order_relaxed);
}

// The number of a tile, or a part with its side.
__device__ inline unsigned take(Queue queue, unsigned tiles) {
    const unsigned ticket = atomicAdd(queue.head, 1);
    if (ticket < tiles) return ticket;
    unsigned* slot = queue.slots + (ticket - tiles);
    for (;;) {
        const unsigned part = look(slot);
        if (part != 0) {
            __threadfence(); // What others computed before they filled the slot comes before what follows.
            return part;
        }
        if (look(queue.open) == 0 - tiles) return NONE; // All is finished, so nobody fills the slot.
        __nanosleep(100);
    }
}

__device__ inline void put(Queue queue, int x, int y, int side) {
    atomicAdd(queue.open, 1);
    const unsigned slot = atomicAdd(queue.tail, 1);
    __threadfence(); // The border of the part comes before the slot.
    atomicExch(queue.slots + slot, side / 32 << 24 | y / 8 << 12 | x / 8);
}

// A block computes the lines that divide a box, and then its parts as far as it can.
template <int SIDE> __device__ inline void divide(Image image, Box box, Queue queue) {
    constexpr int PART = SIDE / PARTS, INSIDE = LEAST - 1;
    __shared__ int mixed[PARTS * PARTS], mixed_parts;
    if (threadIdx.x == 0) mixed_parts = 0;
    for (int i = threadIdx.x; i < 2 * (PARTS - 1) * SIDE; i += blockDim.x) {
        // Three lines from left to right, then three that go down and leave out where they meet the first.
        const int line = i / SIDE, along = i % SIDE, at = (line % (PARTS - 1) + 1) * PART;
        const bool down = line >= PARTS - 1;
        const int x = box.left + (down ? at : along), y = box.top + (down ? along : at);
        if (along > 0 && !(down && along % PART == 0) && x < box.right && y < box.bottom) compute(image, x, y);
    }
    __syncthreads();
    for (int i = threadIdx.x / 32; i < PARTS * PARTS; i += blockDim.x / 32) {
        const int x = box.left + i % PARTS * PART, y = box.top + i / PARTS * PART;
        if (x >= box.right || y >= box.bottom) continue; // A short box has fewer parts.
        const Box part = part_at(box, x, y, PART);
        if (has_one_dwell(image, part, PART)) {
            fill(image, part, PART, *pixel(image, x, y), 0, 1);
        } else if (threadIdx.x % 32 == 0) {
            if (PART > LEAST) {
                put(queue, x, y, PART);
            } else {
                mixed[atomicAdd(&mixed_parts, 1)] = i;
            }
        }
    }
    if (PART > LEAST) return;
    __syncthreads();
    for (int i = threadIdx.x; i < mixed_parts * INSIDE * INSIDE; i += blockDim.x) {
        const int part = mixed[i / (INSIDE * INSIDE)], at = i % (INSIDE * INSIDE);
        const int x = box.left + part % PARTS * PART + 1 + at % INSIDE, y = box.top + part / PARTS * PART + 1 + at / INSIDE;
        if (x < box.right && y < box.bottom) compute(image, x, y);
    }
}

__device__ inline void divide(Image image, Box box, int side, Queue queue) {
    if (side == 32) {
        divide<32>(image, box, queue);
    } else if (side == 128) {
        divide<128>(image, box, queue);
    } else {
        divide<512>(image, box, queue);
    }
}

// With these bounds it takes 32 registers on an H200, and each multiprocessor has as many threads at work as it can.
extern "C" __global__ void __launch_bounds__(512, 2) mandelbrot_queue_correct(Image image, int tile, Queue queue) {
    __shared__ unsigned taken;
    const int columns = (image.width + tile - 1) / tile, rows = (image.height + tile - 1) / tile;
    for (;;) {
        if (threadIdx.x == 0) taken = take(queue, columns * rows);
        __syncthreads();
        const unsigned work = taken;
        if (work == NONE) return;
        if (work < 1 << 24) {
            const Box box = tile_at(image, work % columns * tile, work / columns * tile, tile);
            const int common = compute_border(image, box, tile);
            __syncthreads();
            const int corner = *pixel(image, box.left, box.top);
            if (__syncthreads_and(common == NOTHING || common == corner)) {
                fill(image, box, tile, corner, threadIdx.x / 32, blockDim.x / 32);
            } else {
                divide(image, box, tile, queue);
            }
        } else {
            const int x = (work & 0xfff) * 8, y = (work >> 12 & 0xfff) * 8, side = (work >> 24) * 32;
            divide(image, part_at(tile_at(image, x / tile * tile, y / tile * tile, tile), x, y, side), side, queue);
        }
        __syncthreads(); // All that the block puts into the queue comes before it has finished.
        if (threadIdx.x == 0) atomicSub(queue.open, 1);
    }
}

// lesson05/border_dwell.cu: a block finds the common dwell on the border of a rectangle.
//
// Idea      The first step of Mariani and Silver's method is a reduction, with a barrier in every iteration.
// Broken    A barrier before the loop, and none in it. An iteration may read an element before it is stored.
// Correct   A barrier at the end of every iteration.
// Contract  256 threads; block b takes line b of width pixels, three pixels high; common has an int per block.
// Expect    broken: race-shared. correct: no findings, as the CPU computes it.
// PTX       border_dwell_broken: bar.sync; ld.shared; not bar; st.shared; not bar; ld.shared; not bar; st.shared
// Flags     -fmad=false

#include "border.cuh"

extern "C" __global__ void border_dwell_broken(int* common, int width, Plane plane, int max_dwell) {
    __shared__ int parts[256];
    const int t = threadIdx.x;
    const Rectangle area = {0, 3 * (int)blockIdx.x, width, 3};
    parts[t] = part_of_border(area, plane, max_dwell, t, 256);
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        // BUG: no barrier between this load and another thread's store in the iteration before.
        if (t < half) parts[t] = same_dwell(parts[t], parts[t + half]);
    }
    if (t == 0) common[blockIdx.x] = parts[0];
}

extern "C" __global__ void border_dwell_correct(int* common, int width, Plane plane, int max_dwell) {
    __shared__ int parts[256];
    const int t = threadIdx.x;
    const Rectangle area = {0, 3 * (int)blockIdx.x, width, 3};
    parts[t] = part_of_border(area, plane, max_dwell, t, 256);
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) parts[t] = same_dwell(parts[t], parts[t + half]);
        __syncthreads(); // FIX
    }
    if (t == 0) common[blockIdx.x] = parts[0];
}

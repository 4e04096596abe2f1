// same_at_both_ends: the method of Mariani and Silver on a line instead of a plane.
//
// Given   x rises, and colour(x) changes every `width`. If both ends of a stretch have one colour, all its elements
//         have it. (Imagine that a colour is expensive to compute.) The host launches paint for the whole of x, with 32
//         threads.
// Range   width is from 30 to 60; end is from 1 to 160.
// Do      out[i] is the colour of x[i], for i from 0 to n - 1. Fill a stretch with one colour at both ends. Do a
//         stretch of at most 8 elements one by one. Cut any other in the middle and launch a child per half.
// Budget  At most 40 launches and at most 100 load requests.
//
// Read    lesson05-dynamic-parallelism/README.md, "Mariani and Silver"

__device__ int colour(int x, int width) {
    return x / width * 7 % 10;
}

extern "C" __global__ void paint(const int* x, int width, int first, int end, int* out) {
    const int t = threadIdx.x;
    const int at_first = colour(x[first], width), at_last = colour(x[end - 1], width);

    if (at_first == at_last) {
        for (int i = first + t; i < end; i += 32) out[i] = at_first;
    } else if (end - first <= 8) {
        if (first + t < end) out[first + t] = colour(x[first + t], width);
    } else {
        // TODO: two children, one for each half.
    }
}

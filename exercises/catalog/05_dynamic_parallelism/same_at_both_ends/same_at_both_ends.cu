// same_at_both_ends.cu: Mariani and Silver's method on a line instead of a plane.
//
// Given     x rises, and with it colour(x), which changes every `width`. (Think of the colour as dear to compute.) So where
//           the first and the last element of a stretch have one colour, all between them have it too.
// Wanted    out[i] is the colour of x[i] for i from 0 to n. The host launches paint for all of it, with 32 threads.
//           A stretch with one colour at both ends is filled; one of at most 8 elements is done one by one; any other is
//           cut in the middle, and each half gets a child.
// Budget    At most 40 launches, at most 100 load requests: who looks at each element has too many.
//
// Read on   lesson05-dynamic-parallelism/README.md, "Mariani and Silver"

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

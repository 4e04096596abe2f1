// tail_that_is_lost: find the n
//
// A kernel from a slide copies n ints as int4, and its tail by a single thread. `first` is the
// thread's number in the grid:
//
//     if (first < n / 4) out4[first] = in4[first];
//     if (first == n / 4) for (int i = n / 4 * 4; i < n; i++) out[i] = in[i];
//
// It is launched with blocks of 128 threads, (n / 4 + 127) / 128 of them, but at least one. It was
// tested with n = 5, 100, 300 and 4 million, and is wrong.
//
// Do       Find an n up to 2000 for which elements are left out. And, for comparison, one from 512
//          on that is no multiple of 4, and for which all is well.
// Read on  lesson01-vectorized/README.md, "A slide's tail"

extern "C" __global__ void found(int* n) {
    // TODO: try them on paper, or write a loop that looks for them
    n[0] = 300; // elements are left out
    n[1] = 601; // all is well
}

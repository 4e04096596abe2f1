// tail_that_is_lost: find the n
//
// The kernel, from a slide, copies n ints as int4, and a single thread copies the tail. It is
// launched in blocks of 128 threads: enough blocks for n / 4 threads, but at least one. It was
// tested with n = 5, 100, 300 and 4 million, and still it has a bug.
//
// Do not change the kernel; no compiler is needed. The order of the threads does not matter here,
// so the schedule is given.
// Range    n is from 1 to 2000.
// Read     lesson01-vectorized/README.md, "A slide's tail"
//
// TODO: find an n from 1 to 2000 for which some ints are not copied, and write it
// in place of the question mark.
// SCHEDULE: in-order
// SIZES: n = ?

extern "C" __global__ void copy(const int* in, int* out, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    if (first < n / 4) {
        reinterpret_cast<int4*>(out)[first] = reinterpret_cast<const int4*>(in)[first];
    }
    if (first == n / 4) {
        for (int i = n / 4 * 4; i < n; i++) out[i] = in[i];
    }
}

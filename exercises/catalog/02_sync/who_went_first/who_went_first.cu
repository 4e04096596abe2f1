// who_went_first: who went first?
//
// A block of 64 threads, two warps, is to reverse 64 ints in place: data[i] is i at first. There is
// no barrier. Each warp loads with all its lanes, and then stores with all of them.
//
// Two cases: warp 0 (threads 0 to 31) runs to its end before warp 1 begins; and the other way
// round. The emulated GPU's schedules `in-order` and `reverse` do just that.
//
// Nothing is to be programmed here: the kernel stays as it is. No compiler is needed.
// Read on  lesson02-sync/README.md, row `reverse`; docs/findings.md has the names of findings
//
// TODO: write behind the ANSWERs: data[0] and data[63] in the first case, data[0] and data[63]
// in the second, and the name under which it is reported.
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?

extern "C" __global__ void reverse(int* data) {
    const int i = threadIdx.x;
    data[i] = data[63 - i];
}

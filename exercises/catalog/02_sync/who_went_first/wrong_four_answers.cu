// wrong: todo
// One answer is missing.
// who_went_first: who went first?
//
// A block of 64 threads, two warps, should reverse 64 ints in place: data[i] is i at first. There
// is no barrier. In each warp all lanes read, and then all of them write.
//
// There are two cases. Either warp 0 (threads 0 to 31) runs to its end before warp 1 begins, or
// warp 1 runs first. The emulated GPU's schedules `in-order` and `reverse` do exactly that.
//
// Do not change the kernel. No compiler is needed.
// Read     lesson02-sync/README.md, row `reverse`; docs/findings.md has the names of findings
//
// TODO: write after the ANSWERs: data[0] and data[63] in the first case, data[0] and data[63]
// in the second, and the name of the finding.
// ANSWER: 63
// ANSWER: 63
// ANSWER: 0
// ANSWER: 0

extern "C" __global__ void reverse(int* data) {
    const int i = threadIdx.x;
    data[i] = data[63 - i];
}

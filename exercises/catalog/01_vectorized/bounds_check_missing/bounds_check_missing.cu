// bounds_check_missing: more threads than elements
//
// The kernel multiplies each of n elements by 3, in place. It is launched in whole blocks of 128
// threads: for n = 100 that is one block, and 28 of its threads have no element. What lies behind
// the vector belongs to somebody else.
//
// A GPU does not always complain: behind a small vector there is often more memory of the same
// program, and then only its values are spoiled. The emulated GPU complains every time.
//
// Do       Keep the threads that have no element away from memory.
// Read on  lesson01-vectorized/README.md, row `copy`; cargo learn explain out-of-bounds

extern "C" __global__ void triple(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO: does element i exist?
    data[i] = 3 * data[i];
}

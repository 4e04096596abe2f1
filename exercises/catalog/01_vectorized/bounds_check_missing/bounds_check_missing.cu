// bounds_check_missing: more threads than elements
//
// The kernel multiplies each of n elements by 3, in place. It is launched in whole blocks of 128
// threads. For n = 100 that is one block, and 28 of its threads have no element. The memory after
// the vector is not the kernel's.
//
// A GPU does not always report this. After a small vector there is often more memory of the same
// program, and the kernel corrupts it silently. The emulated GPU reports it every time.
//
// Range    n is from 1 to 600; data has values from -99 to 99.
// Do       Keep the threads without an element from accessing memory.
// Read     lesson01-vectorized/README.md, row `copy`; cargo learn explain out-of-bounds

extern "C" __global__ void triple(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO: does element i exist?
    data[i] = 3 * data[i];
}

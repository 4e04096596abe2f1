// block_forgotten: which element is mine?
//
// The kernel copies a vector: out[i] becomes in[i] for every i below n. It is launched in blocks
// of 128 threads, and in as many blocks as it takes for a thread an element: n = 100 needs one
// block, n = 300 three. Each thread copies one element.
//
// With up to 128 elements it works. With more, what lies behind the first 128 stays unwritten, and
// the first 128 are written by several blocks: the emulated GPU notes that as well.
//
// Do       Mend the line below the TODO, so that every element gets a thread of its own.
// Read on  lesson01-vectorized/README.md; cargo learn explain undefined-value

extern "C" __global__ void copy(const int* in, int* out, int n) {
    // TODO: threadIdx.x begins at 0 again in every block
    const int i = threadIdx.x;
    if (i < n) out[i] = in[i];
}

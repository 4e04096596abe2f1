// block_forgotten: which element is mine?
//
// The kernel copies a vector: out[i] becomes in[i] for every i below n. Each thread copies one
// element. A block has 128 threads, and the launch has as many blocks as n needs: one for n = 100,
// three for n = 300.
//
// Up to 128 elements the copy works. With more, the elements from 128 on are never written, and
// several blocks write the first 128. The emulated GPU reports that too.
//
// Range    n is from 1 to 600; in has values from -99 to 99.
// Do       Fix the line below the TODO, so that each element has its own thread.
// Read     lesson01-vectorized/README.md; cargo learn explain undefined-value

extern "C" __global__ void copy(const int* in, int* out, int n) {
    // TODO: threadIdx.x starts at 0 again in every block
    const int i = threadIdx.x;
    if (i < n) out[i] = in[i];
}

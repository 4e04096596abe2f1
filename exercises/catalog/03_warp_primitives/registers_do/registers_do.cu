// registers_do: shared memory that is not needed
//
// A table has rows of 32 elements. out[i] becomes the largest element of the row minus in[i]. Each
// block of 128 threads has four rows, one row per warp.
//
// The kernel is right. A tree in shared memory finds the largest element of each row, with a
// barrier of the whole block in every round. But no thread ever needs anything from another warp.
//
// Range   gridDim.x is from 1 to 3; in has values from -999 to 999.
// Do      Do it without shared memory and without barriers of the block. One load per element.
// Read    lesson03-warp-primitives/README.md, row `all_reduce`

extern "C" __global__ void below_the_largest(const int* in, int* out) {
    const int i = 128 * blockIdx.x + threadIdx.x;
    const int mine = in[i];
    // TODO: what stays within a warp can stay in registers
    __shared__ int cell[128];
    const int t = threadIdx.x;
    cell[t] = mine;
    for (int half = 16; half > 0; half /= 2) {
        __syncthreads();
        if (t % 32 < half) cell[t] = max(cell[t], cell[t + half]);
    }
    __syncthreads();
    const int largest = cell[t / 32 * 32];
    out[i] = largest - mine;
}

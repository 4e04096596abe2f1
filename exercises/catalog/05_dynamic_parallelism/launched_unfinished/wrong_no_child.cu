// wrong: budget
// Each thread stores to the place where the child would have brought its element.

extern "C" __global__ void prepare(const int* v, int* doubled, int* turned) {
    const int first = blockIdx.x * 64, i = first + threadIdx.x;
    doubled[i] = 2 * v[i];
    turned[first + 63 - threadIdx.x] = 2 * v[i];
}

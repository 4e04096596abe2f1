// launched_unfinished: a block prepares 64 elements, and a child reverses them.
//
// Given    v, doubled and turned have 64 ints per block.
// Range    gridDim.x is from 1 to 3; v has values from -99 to 99.
// Do       doubled[i] = 2 * v[i]. A child of each block stores its 64 elements of doubled in turned, reversed.
// Problem  Thread 0 launches the child. Thread 0 is sure of its own element only.
//
// Read     lesson05-dynamic-parallelism/README.md, "What a child sees"; cargo learn explain race-global

extern "C" __global__ void turn(const int* from, int* to) {
    to[threadIdx.x] = from[63 - threadIdx.x];
}

extern "C" __global__ void prepare(const int* v, int* doubled, int* turned) {
    const int first = blockIdx.x * 64;
    const int i = first + threadIdx.x;

    // TODO: the child must see all 64 elements.
    doubled[i] = 2 * v[i];
    if (threadIdx.x == 0) turn<<<1, 64>>>(doubled + first, turned + first);
}

// launched_unfinished.cu: a block prepares 64 elements, and a child turns them round.
//
// Given     v, doubled and turned have 64 ints for each block.
// Wanted    doubled[i] = 2 * v[i]; each block's 64 elements of turned are those of doubled, last one first.
// Trouble   Thread 0 launches the child. It is sure of its own element only.
//
// Read on   lesson05-dynamic-parallelism/README.md, "What a child sees"; cargo learn explain race-global

extern "C" __global__ void turn(const int* from, int* to) {
    to[threadIdx.x] = from[63 - threadIdx.x];
}

extern "C" __global__ void prepare(const int* v, int* doubled, int* turned) {
    const int first = blockIdx.x * 64;
    const int i = first + threadIdx.x;

    // TODO: the child must find all 64 elements.
    doubled[i] = 2 * v[i];
    if (threadIdx.x == 0) turn<<<1, 64>>>(doubled + first, turned + first);
}

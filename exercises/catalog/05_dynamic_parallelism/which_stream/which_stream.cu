// which_stream: two steps, each a child grid. The first finds the largest element, the second how far each element is
// below it.
//
// Given   v has n ints, none below 0; *most is 0. The host launches two_steps with one thread.
// Range   n is from 1 to 150; v has values from 0 to 40.
// Do      *most is the largest element; below[i] = *most - v[i]. Choose a stream for each launch: none (the NULL stream
//         of the block), cudaStreamFireAndForget or cudaStreamTailLaunch.
//
// Read    lesson05-dynamic-parallelism/README.md, "Streams of a kernel"; cargo learn explain race-global

extern "C" __global__ void largest(const int* v, int n, int* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(most, v[i]);
}

extern "C" __global__ void distance(const int* v, int n, const int* most, int* below) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) below[i] = *most - v[i];
}

extern "C" __global__ void two_steps(const int* v, int n, int* most, int* below) {
    const int blocks = (n + 63) / 64;
    // TODO: choose the streams so that `distance` reads the largest element.
    largest<<<blocks, 64, 0, cudaStreamFireAndForget>>>(v, n, most);
    distance<<<blocks, 64, 0, cudaStreamFireAndForget>>>(v, n, most, below);
}

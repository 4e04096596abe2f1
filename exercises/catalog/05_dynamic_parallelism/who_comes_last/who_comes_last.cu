// who_comes_last: five grids write their numbers into a log. In which order?
//
// Given   The host launches `parent`. The order is the same under every schedule: it follows from the streams.
// Do      Predict the log. There is nothing to program here.
//
// Read    lesson05-dynamic-parallelism/README.md, "What a parent sees" and "Streams of a kernel"
//
// TODO: log[0] is 1, the parent. What are log[1], log[2], log[3] and log[4]? How many launches does the device make?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
// Flags     -rdc=true

__device__ void sign(int* log, int* count, int number) {
    log[atomicAdd(count, 1)] = number;
}

extern "C" __global__ void last_wish(int* log, int* count, int number) {
    sign(log, count, number);
}

extern "C" __global__ void first(int* log, int* count) {
    last_wish<<<1, 1, 0, cudaStreamTailLaunch>>>(log, count, 5);
    sign(log, count, 2);
}

extern "C" __global__ void second(int* log, int* count) {
    sign(log, count, 3);
}

extern "C" __global__ void parent(int* log, int* count) {
    sign(log, count, 1);
    last_wish<<<1, 1, 0, cudaStreamTailLaunch>>>(log, count, 4);
    first<<<1, 1>>>(log, count);
    second<<<1, 1>>>(log, count);
}

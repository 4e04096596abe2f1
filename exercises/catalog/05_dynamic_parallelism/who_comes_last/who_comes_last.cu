// who_comes_last.cu: five grids sign in a log, each with its number. In which order?
//
// The host launches `parent`. Nothing is to be programmed here; foretell the log. The order is the same under every schedule:
// it follows from the streams.
//
// TODO: log[0] is 1, the parent. Who signs as log[1], log[2], log[3], log[4]? And how many launches does the device make?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
//
// Read on   lesson05-dynamic-parallelism/README.md, "What a parent sees" and "Streams of a kernel"
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

// ways_to_add_twice: how many executions?
//
// `take_numbers` runs with one block of three threads, `add_and_look` with one block of two. The
// counter is 0 at first. An atomic operation reads a value and writes the next one in one step.
//
// An execution says which write each read reads from, and the order of the writes of each word. Two
// runs that agree in that are one execution. Elements of `seen` belong to one thread each, and do
// not count.
// An execution of `add_and_look` is wrong if thread 0 does not see 2.
//
// Do not change the kernels. No compiler is needed.
// Read     lesson04-atomics/README.md, "Idea"; cargo learn explain executions
//
// TODO: write after the ANSWERs: the executions of `take_numbers`, the executions of `add_and_look`,
// and how many of the latter are wrong.
// ANSWER: 6
// ANSWER: 3
// ANSWER: 1

extern "C" __global__ void take_numbers(int* counter, int* seen) {
    seen[threadIdx.x] = atomicAdd(counter, 1);
}

extern "C" __global__ void add_and_look(int* counter, int* seen) {
    atomicAdd(counter, 1);
    if (threadIdx.x == 0) seen[0] = atomicAdd(counter, 0); // An atomic read.
}

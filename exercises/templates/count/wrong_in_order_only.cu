// wrong: answer
// As if thread 0 were always first.
// NAME: two threads take a number.
//
// Say here what the kernel does, and what is wrong. The numbers are taken from a search of all
// executions: which write each read reads from, and the order of the writes of each word.
//
// TODO: how many executions are there, and in how many does thread 0 not get number 0?
// ANSWER: 1
// ANSWER: 0

extern "C" __global__ void take_a_number(int* next, int* mine) {
    mine[threadIdx.x] = atomicAdd(next, 1);
}

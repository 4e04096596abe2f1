// lesson04/counter_scope.cu: the counter again, and the scope of an atomic.
//
// Idea      An atomic has a scope. atomicAdd_block() is one step for the threads of its own block only. Threads of
//           another block can come between its read and its write.
// Broken    Several blocks add to one counter, with atomics of block scope.
// Correct   atomicAdd(), which has device scope.
// Contract  Any grid and block; a is one int, and the number of threads added to it fits in an int. One block
//           alone has no bug.
// Expect    broken: race-scope. correct: no findings, a grows by the number of threads.
// PTX       counter_scope_broken: atom|red.global.cta.add
// PTX       counter_scope_correct: atom|red.global.add; never atom.cta; never red.cta

extern "C" __global__ void counter_scope_broken(int* a) {
    // BUG: threads of other blocks add to it too.
    atomicAdd_block(a, 1);
}

extern "C" __global__ void counter_scope_correct(int* a) {
    // FIX: device scope.
    atomicAdd(a, 1);
}

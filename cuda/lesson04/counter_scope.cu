// lesson04/counter_scope.cu: the counter again, and for whom an atomic is atomic.
//
// Idea      An atomic has a scope. atomicAdd_block() is indivisible for the threads of its own block, and
//           may be torn apart by any other.
// Broken    Two blocks add to one counter, each with atomics of its own block.
// Correct   atomicAdd(), which is atomic for the whole device.
// Contract  Any grid and block; a is one int, and the number of threads added to it fits in an int. One block
//           alone has no bug.
// Expect    broken: race-scope. correct: no findings, a grows by the number of threads.
// PTX       counter_scope_broken: atom|red.global.cta.add
// PTX       counter_scope_correct: atom|red.global.add; never atom.cta; never red.cta

extern "C" __global__ void counter_scope_broken(int* a) {
    // BUG: the other blocks add to it too.
    atomicAdd_block(a, 1);
}

extern "C" __global__ void counter_scope_correct(int* a) {
    // FIX: device scope.
    atomicAdd(a, 1);
}

// lesson04/counter.cu: every thread of the grid adds one to the same counter.
//
// Idea      `*a += 1` is three steps: load, add, store. Another thread fits between any two.
// Broken    Threads load the same old value, and all but one of their additions are lost.
// Correct   atomicAdd() makes the three steps one.
// Contract  Any grid and block (the slide: 1000 blocks of 1000); a is one int, and the
//           number of threads added to it fits in an int.
// Expect    broken: race-global. correct: no findings, a grows by the number of threads.
// PTX       counter_broken: ld.global; add; st.global; never atom|red
// PTX       counter_correct: atom|red.global.add; never st.global

extern "C" __global__ void counter_broken(int* a) {
    // BUG: a load and a store, with nothing to keep the other threads out between them.
    *a += 1;
}

extern "C" __global__ void counter_correct(int* a) {
    // FIX: one indivisible read, addition and write.
    atomicAdd(a, 1);
}

// lesson04/counter.cu: every thread of the grid adds one to the same counter.
//
// Idea      `*a += 1` is three steps: load, add, store. Another thread can come between any two.
// Broken    Several threads load the same old value. All but one of their additions are lost.
// Correct   atomicAdd() makes the three steps one.
// Contract  Any grid and block (the slide: 1000 blocks of 1000); a is one int, and the
//           number of threads added to it fits in an int.
// Expect    broken: race-global. correct: no findings, a grows by the number of threads.
// PTX       counter_broken: ld.global; add; st.global; never atom|red
// PTX       counter_correct: atom|red.global.add; never st.global

extern "C" __global__ void counter_broken(int* a) {
    // BUG: load, add, store. Other threads can come between them.
    *a += 1;
}

extern "C" __global__ void counter_correct(int* a) {
    // FIX: read, add and write in one step.
    atomicAdd(a, 1);
}

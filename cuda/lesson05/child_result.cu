// lesson05/child_result.cu: a parent has a child compute something, and needs the result.
//
// Idea      A launch is a request, not a call. A parent cannot wait for its child.
// Broken    The parent adds up what the child writes, on the line after the launch.
// Correct   A second grid uses the result. It is launched into the tail stream: it runs when the parent and all
//           grids that the parent launched are complete.
// Contract  One block of one thread; squares has n unsigned, n <= 2^20; sum is one unsigned.
// Expect    broken: race-global. correct: no findings, the sum of the squares below n.
// PTX       child_result_broken: call; ld.global; st.global
// Flags     -rdc=true

extern "C" __global__ void square_all(unsigned* squares, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) squares[i] = i * i;
}

extern "C" __global__ void add_up(const unsigned* squares, unsigned n, unsigned* sum) {
    unsigned total = 0;
    for (unsigned i = 0; i < n; i++) total += squares[i];
    *sum = total;
}

extern "C" __global__ void child_result_broken(unsigned* squares, unsigned n, unsigned* sum) {
    square_all<<<(n + 127) / 128, 128>>>(squares, n);
    unsigned total = 0;
    // BUG: the child may not have begun, or may have done only a part.
    for (unsigned i = 0; i < n; i++) total += squares[i];
    *sum = total;
}

extern "C" __global__ void child_result_correct(unsigned* squares, unsigned n, unsigned* sum) {
    square_all<<<(n + 127) / 128, 128>>>(squares, n);
    add_up<<<1, 1, 0, cudaStreamTailLaunch>>>(squares, n, sum); // FIX
}

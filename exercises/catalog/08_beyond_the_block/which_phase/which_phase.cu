// which_phase: a barrier object goes through its phases, and one thread asks for them by their parity.
//
// Given   One thread. The barrier object expects two arrivals a phase, and no bytes. The first phase has parity 0, the
//         next one 1, then 0 again. test_wait answers at once: 1 if the phase of that parity is complete.
// Do      Predict the answers. There is nothing to program here.
//
// Read    lesson07-beyond-the-block/README.md, "Which phase"
//
// TODO: what are out[0] to out[5]?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?
// Arch      sm_90

#include <cuda/ptx>
namespace ptx = cuda::ptx;

extern "C" __global__ void ask(int* out) {
    __shared__ uint64_t bar;
    ptx::mbarrier_init(&bar, 2);
    out[0] = ptx::mbarrier_test_wait_parity(&bar, 0);
    out[1] = ptx::mbarrier_test_wait_parity(&bar, 1);

    ptx::mbarrier_arrive(&bar);
    out[2] = ptx::mbarrier_test_wait_parity(&bar, 0);

    ptx::mbarrier_arrive(&bar);
    out[3] = ptx::mbarrier_test_wait_parity(&bar, 0);

    ptx::mbarrier_arrive(&bar);
    ptx::mbarrier_arrive(&bar);
    out[4] = ptx::mbarrier_test_wait_parity(&bar, 1);
    out[5] = ptx::mbarrier_test_wait_parity(&bar, 0);
}

// locks/ticket_lock.cu: a ticket lock: threads enter in the order of the tickets that they drew. Each adds 1 to `sum`.
//
// The kernels after the first differ from it in the line that is marked. All executions of each, at a few threads:
// lab/proofs/tests/locks.rs.

extern "C" __global__ void ticket_lock_correct(unsigned* next, volatile unsigned* serving, int* sum) {
    const unsigned ticket = atomicAdd(next, 1u);
    while (*serving != ticket) {}
    __threadfence();
    *sum += 1;
    __threadfence();
    *serving = ticket + 1;
}

extern "C" __global__ void ticket_lock_no_fence(unsigned* next, volatile unsigned* serving, int* sum) {
    const unsigned ticket = atomicAdd(next, 1u);
    while (*serving != ticket) {}
    // BUG: no fence after the thread's turn has come.
    *sum += 1;
    __threadfence();
    *serving = ticket + 1;
}

extern "C" __global__ void ticket_lock_block_fence(unsigned* next, volatile unsigned* serving, int* sum) {
    const unsigned ticket = atomicAdd(next, 1u);
    while (*serving != ticket) {}
    __threadfence();
    *sum += 1;
    __threadfence_block(); // BUG: the next holder may be in another block.
    *serving = ticket + 1;
}

extern "C" __global__ void ticket_lock_block_scope(unsigned* next, volatile unsigned* serving, int* sum) {
    const unsigned ticket = atomicAdd_block(next, 1u); // BUG: two blocks may draw the same ticket.
    while (*serving != ticket) {}
    __threadfence();
    *sum += 1;
    __threadfence();
    *serving = ticket + 1;
}

// locks/cas_lock.cu: a spin lock by compare-and-swap. Each thread takes it once and adds 1 to `sum`.
//
// The kernels after the first differ from it in the line that is marked. All executions of each, at a few threads:
// lab/proofs/tests/locks.rs.

extern "C" __global__ void cas_lock_correct(int* lock, int* sum) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *sum += 1;
    __threadfence();
    atomicExch(lock, 0);
}

extern "C" __global__ void cas_lock_no_fence(int* lock, int* sum) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *sum += 1;
    // BUG: no fence before the lock is free.
    atomicExch(lock, 0);
}

extern "C" __global__ void cas_lock_block_fence(int* lock, int* sum) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence_block(); // BUG: the last holder may be in another block.
    *sum += 1;
    __threadfence();
    atomicExch(lock, 0);
}

extern "C" __global__ void cas_lock_block_scope(int* lock, int* sum) {
    while (atomicCAS_block(lock, 0, 1) != 0) {} // BUG: atomic within the block alone.
    __threadfence();
    *sum += 1;
    __threadfence();
    atomicExch(lock, 0);
}

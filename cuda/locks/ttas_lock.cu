// locks/ttas_lock.cu: a test-and-test-and-set lock: a thread only looks until the lock seems free, and then exchanges.
// Each adds 1 to `sum`.
//
// The kernels after the first differ from it in the line that is marked. All executions of each, at a few threads:
// lab/proofs/tests/locks.rs.

extern "C" __global__ void ttas_lock_correct(int* lock, int* sum) {
    do {
        while (*(volatile int*)lock != 0) {}
    } while (atomicExch(lock, 1) != 0);
    __threadfence();
    *sum += 1;
    __threadfence();
    *(volatile int*)lock = 0;
}

extern "C" __global__ void ttas_lock_no_fence(int* lock, int* sum) {
    do {
        while (*(volatile int*)lock != 0) {}
    } while (atomicExch(lock, 1) != 0);
    __threadfence();
    *sum += 1;
    // BUG: no fence before the lock is free.
    *(volatile int*)lock = 0;
}

extern "C" __global__ void ttas_lock_block_fence(int* lock, int* sum) {
    do {
        while (*(volatile int*)lock != 0) {}
    } while (atomicExch(lock, 1) != 0);
    __threadfence_block(); // BUG: the last holder may be in another block.
    *sum += 1;
    __threadfence();
    *(volatile int*)lock = 0;
}

extern "C" __global__ void ttas_lock_block_scope(int* lock, int* sum) {
    do {
        while (*(volatile int*)lock != 0) {}
    } while (atomicExch_block(lock, 1) != 0); // BUG: atomic within the block alone.
    __threadfence();
    *sum += 1;
    __threadfence();
    *(volatile int*)lock = 0;
}

// fence_too_narrow: how far does it reach?
//
// Three blocks. The one that comes first squares the n elements of `message` in place, then sets a
// flag. The other two wait for the flag and copy the message, each to its half of `out`.
//
// There are fences on both sides, and the flag is atomic. Each has a scope, the threads it applies
// to: its own block, the whole device, or also the host and other devices. On one GPU all scopes
// may seem to work alike.
//
// Range    n is from 1 to 100; message has values from -99 to 99.
// Do       Make the order reach from block to block. Only this device takes part.
// Read     lesson02-sync/README.md, "How far does it reach?"; cargo learn explain race-scope

extern "C" __global__ void pass_on(int* message, int* flag, unsigned* arrivals, int* out, int n) {
    __shared__ unsigned number;
    const int t = threadIdx.x;
    if (t == 0) number = atomicAdd(arrivals, 1);
    __syncthreads();
    if (number == 0) { // The block that comes first writes.
        for (int i = t; i < n; i += 32) message[i] *= message[i];
        __syncthreads();
        if (t == 0) {
            // TODO: writer and readers are in different blocks
            __threadfence_block();
            atomicExch_block(flag, 1);
        }
    } else {
        if (t == 0) {
            while (atomicAdd_block(flag, 0) == 0) {}
            __threadfence_block();
        }
        __syncthreads();
        for (int i = t; i < n; i += 32) out[(number - 1) * n + i] = message[i];
    }
}

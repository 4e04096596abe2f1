// lesson05/child_wait_broken.cu: the next step after a child, as written before 2022.
//
// Idea      A parent could once wait for its children with cudaDeviceSynchronize(). A waiting block kept its room on
//           the GPU, and deep nests of them filled it.
// Broken    cudaDeviceSynchronize() can no longer be called on the device.
// Correct   child_wait_correct, in child_wait.cu.
// Contract  None: it is never run.
// Expect    compile-fail: cudaDeviceSynchronize is a function of the host.
// Arch      sm_90
// Flags     -rdc=true

extern "C" __global__ void store_21(int* value) {
    *value = 21;
}

extern "C" __global__ void child_wait_broken(int* value) {
    store_21<<<1, 1>>>(value);
    // BUG: a kernel can no longer wait for its children.
    cudaDeviceSynchronize();
    *value *= 2;
}

// lesson05/child_wait.cu: the next step after a child, in today's form.
//
// Idea      A parent cannot wait for its child. The next step is a grid too.
// Correct   The second step is launched into the tail stream.
// Contract  One block of one thread; value is one int.
// Expect    no findings; the value is 2 * 21. Its older form is a compile-fail.
// Flags     -rdc=true

extern "C" __global__ void store_21(int* value) {
    *value = 21;
}

extern "C" __global__ void twice(int* value) {
    *value *= 2;
}

extern "C" __global__ void child_wait_correct(int* value) {
    store_21<<<1, 1>>>(value);
    twice<<<1, 1, 0, cudaStreamTailLaunch>>>(value); // FIX
}

// lesson05/launch_error.cu: a launch in a kernel that fails, and which thread can ask for its error.
//
// Idea      Only the thread that launched can ask for the error of a failed launch.
// Broken    A block with too many threads. The thread does not ask, and nothing is computed.
// Correct   It asks after the launch, and writes the code where the host reads it.
// Contract  One block of one thread. launch_error_*: out has threads ints, all 0 before; error is one int.
//           launch_codes: codes has 6 ints; one launch for each way to fail. launch_depths: depth 0.
//           launch_stream: code is one int. What a GPU does with a destroyed stream is open.
// Expect    broken: device-launch. correct: no findings; the error is 0 up to 1024 threads and 9 beyond.
// PTX       launch_error_broken: call; never st.global
// Flags     -rdc=true

extern "C" __global__ void count_up(int* out) {
    out[threadIdx.x] = threadIdx.x + 1;
}

extern "C" __global__ void launch_error_broken(int* out, int threads, int* error) {
    // BUG: no thread asks whether the launch failed.
    count_up<<<1, threads>>>(out);
}

extern "C" __global__ void launch_error_correct(int* out, int threads, int* error) {
    count_up<<<1, threads>>>(out);
    *error = cudaGetLastError(); // FIX
}

extern "C" __global__ void nothing() {}

// Each launch launches the next one, a level deeper. The host's own launch has depth 0.
extern "C" __global__ void launch_depths(int depth, int* deepest, int* code) {
    *deepest = depth;
    launch_depths<<<1, 1>>>(depth + 1, deepest, code);
    const int error = cudaGetLastError();
    if (error != 0) *code = error;
}

extern "C" __global__ void launch_codes(int* codes) {
    nothing<<<1, 1>>>();
    codes[0] = cudaGetLastError();
    nothing<<<1, 1025>>>();
    codes[1] = cudaGetLastError();
    nothing<<<0, 1>>>();
    codes[2] = cudaGetLastError();
    nothing<<<1, 1, 1 << 20>>>();
    codes[3] = cudaGetLastError();
    // Grids in the tail stream wait for this one, so they stay pending.
    codes[4] = 0;
    int launched = 0;
    while (launched < 4096 && codes[4] == 0) {
        nothing<<<1, 1, 0, cudaStreamTailLaunch>>>();
        codes[4] = cudaGetLastError();
        launched++;
    }
    codes[5] = launched;
}

// A stream that the kernel has destroyed.
extern "C" __global__ void launch_stream(int* code) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamDestroy(stream);
    nothing<<<1, 1, 0, stream>>>();
    *code = cudaGetLastError();
}

// lost: 64 threads add 1, and not all of it arrives.
//
// In order, one warp loads before it stores.
// TODO: what does `*counter` hold in the end, and what is found first?
// ANSWER: ?
// ANSWER: ?

extern "C" __global__ void lost(int* counter) {
    *counter = *counter + 1;
}

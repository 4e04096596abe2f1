// wrong: answer
// There is no report any more, because the line that it names does nothing now.

extern "C" __global__ void doubled(int* v, int n) {
    // v[i] = 2 * v[i];
}

// wrong: answer
// The report is gone with the line it points at.

extern "C" __global__ void doubled(int* v, int n) {
    // v[i] = 2 * v[i];
}

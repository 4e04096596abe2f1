// wrong: answer
// Nothing races in a kernel that does nothing.
extern "C" __global__ void turn_round(int* data, int n) {
}

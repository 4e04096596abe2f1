// wrong: answer
// A kernel that does nothing has no data race.
extern "C" __global__ void turn_round(int* data, int n) {
}

extern "C" __global__ void accept(const int* counter, const int* seen, int* verdict) {
    const int sum = seen[0] + seen[1] + seen[2];
    *verdict = *counter == 3 ? (sum != 3) : 2 * (seen[0] != 2);
}

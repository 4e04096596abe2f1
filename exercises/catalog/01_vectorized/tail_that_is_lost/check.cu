// Plays the launch for n elements: is any of them left out?
__device__ bool loses(int n) {
    const int blocks = max((n / 4 + 127) / 128, 1);
    int copied = 0;
    for (int first = 0; first < 128 * blocks; first++) {
        if (first < n / 4) copied += 4;
        if (first == n / 4) copied += n % 4;
    }
    return copied != n;
}

extern "C" __global__ void accept(const int* n, int* verdict) {
    *verdict = 0;
    if (n[0] < 1 || n[0] > 2000) *verdict = 2;
    else if (!loses(n[0])) *verdict = 1;
    else if (n[1] < 512 || n[1] > 2000 || n[1] % 4 == 0) *verdict = 4;
    else if (loses(n[1])) *verdict = 3;
}

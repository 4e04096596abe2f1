// Plays the eight steps. Each part of the tile holds the number of the iteration that wrote it.
extern "C" __global__ void accept(const int* steps, int* verdict) {
    int done[2] = {0, 0}, part[2] = {-1, -1};
    bool wrong = false;
    *verdict = 0;
    for (int i = 0; i < 8; i++) {
        const int warp = steps[i];
        if (warp < 0 || warp > 1 || done[warp] == 4) {
            *verdict = 1;
            return;
        }
        const int round = done[warp] / 2;
        if (done[warp] % 2 == 0) {
            part[warp] = round;
        } else {
            // The barrier: has the other warp made its write of this iteration?
            if (done[1 - warp] < 2 * round + 1) {
                *verdict = 2;
                return;
            }
            wrong |= part[1 - warp] != round;
        }
        done[warp]++;
    }
    if (!wrong) *verdict = 3;
}

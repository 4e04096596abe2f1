#define EMPTY (-1)

extern "C" __global__ void expected(const int* v, int n, int* slots, int* different) {
    for (int i = 0; i < n; i++) {
        int at = v[i] % 16;
        while (slots[at] != EMPTY && slots[at] != v[i]) at = (at + 1) % 64;
        if (slots[at] == EMPTY) (*different)++;
        slots[at] = v[i];
    }
}

// From each number's home on, no empty slot may come before the number.
extern "C" __global__ void accept(const int* v, int n, const int* slots, const int* different, int* verdict) {
    for (int i = 0; i < n; i++) {
        int at = v[i] % 16;
        for (int steps = 0; steps < 64 && slots[at] != v[i]; steps++) {
            if (slots[at] == EMPTY) *verdict = 1;
            at = (at + 1) % 64;
        }
    }
}

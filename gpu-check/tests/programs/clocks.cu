// A kernel that waits by one of its clocks, between two events: events, clocks and the clock rate agree.
//
// prints: clock64 ok, clock64 asleep ok, globaltimer ok, many blocks ok, timer goes on ok, idle ok, host ok
#include <cstdio>
#include <ctime>

enum Wait { CLOCK, CLOCK_ASLEEP, TIMER };

__device__ long long timer() {
    long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void wait_for(Wait how, long long amount, long long *times) {
    long long begin = how == TIMER ? timer() : clock64();
    if (times) times[0] = timer();
    while ((how == TIMER ? timer() : clock64()) - begin < amount) {
        if (how == CLOCK_ASLEEP) __nanosleep(1000);
    }
    if (times) times[1] = timer();
}

static cudaEvent_t before, after;

static float elapsed() {
    cudaEventRecord(after);
    cudaEventSynchronize(after);
    float milliseconds = -1;
    cudaEventElapsedTime(&milliseconds, before, after);
    return milliseconds;
}

// The shortest of several launches: a host that is held up between its calls makes the time between two events longer.
static float waited(Wait how, int blocks, long long amount) {
    float shortest = 1e9f;
    for (int i = 0; i < 5; i++) {
        cudaEventRecord(before);
        wait_for<<<blocks, 32>>>(how, amount, nullptr);
        float milliseconds = elapsed();
        if (milliseconds < shortest) shortest = milliseconds;
    }
    return shortest;
}

static const char *within(float value, float least, float most) {
    static char wrong[64];
    snprintf(wrong, sizeof wrong, "%f", value);
    return value >= least && value <= most ? "ok" : wrong;
}

int main() {
    int kilohertz;
    cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0);
    cudaEventCreate(&before);
    cudaEventCreate(&after);
    printf("clock64 %s, ", within(waited(CLOCK, 1, 2LL * kilohertz), 2, 2.5));
    printf("clock64 asleep %s, ", within(waited(CLOCK_ASLEEP, 1, 20LL * kilohertz), 20, 25));
    printf("globaltimer %s, ", within(waited(TIMER, 1, 2000000), 2, 2.5));
    // They all wait at once.
    printf("many blocks %s, ", within(waited(CLOCK_ASLEEP, 8, 20LL * kilohertz), 20, 25));

    long long *times, host[2][2];
    cudaMalloc(&times, sizeof host[0]);
    for (int i = 0; i < 2; i++) {
        wait_for<<<1, 1>>>(CLOCK, 1000, times);
        cudaMemcpy(host[i], times, sizeof host[i], cudaMemcpyDeviceToHost);
    }
    bool grows = host[0][0] < host[0][1] && host[0][1] <= host[1][0] && host[1][0] < host[1][1];
    printf("timer goes on %s, ", grows ? "ok" : "no");

    // Nothing between them takes a moment, and no more than that.
    cudaEventRecord(before);
    printf("idle %s, ", within(elapsed(), 0.0001f, 1000));
    // The device has nothing to do while the host sleeps.
    cudaEventRecord(before);
    timespec pause = {0, 30000000};
    nanosleep(&pause, nullptr);
    printf("host %s\n", within(elapsed(), 30, 5000));
}

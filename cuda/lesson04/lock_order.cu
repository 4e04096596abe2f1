// lesson04/lock_order.cu: money moves along a ring of accounts, and each account has its lock.
//
// Idea      If threads take two locks, all of them must take the locks in the same order.
// Broken    Each thread takes the payer's lock and then the payee's. Once all payers' locks are taken, every thread
//           waits for a payee's. The threads run, but none makes progress: this is a livelock.
// Correct   The account with the lower number first, in whichever direction the money moves.
// Contract  n <= 2^31; blocks of 64 threads, as many as cover n; v has n ints; thread i moves v[i] from account
//           i % accounts to the next one, the last one paying to account 0; balance has an int for each account,
//           locks one that is 0 at first; accounts >= 2; no balance overflows.
// Expect    broken: livelock. correct: no findings, the exact balances.
// PTX       lock_order_broken: atom.global.cas; atom.global.cas; membar.gl; atom.global.exch; never min; never max
// PTX       lock_order_correct: min; atom.global.cas; max; atom.global.cas; membar.gl; atom.global.exch

extern "C" __global__ void lock_order_broken(const int* v, unsigned n, int* balance, int* locks, unsigned accounts) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned payer = i % accounts;
    const unsigned payee = (payer + 1) % accounts;

    while (atomicCAS(&locks[payer], 0, 1) != 0) {}
    // BUG: the holder of this lock may wait, through others, for the lock that this thread holds.
    while (atomicCAS(&locks[payee], 0, 1) != 0) {}
    __threadfence();
    balance[payer] -= v[i];
    balance[payee] += v[i];
    __threadfence();
    atomicExch(&locks[payee], 0);
    atomicExch(&locks[payer], 0);
}

extern "C" __global__ void lock_order_correct(const int* v, unsigned n, int* balance, int* locks, unsigned accounts) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned payer = i % accounts;
    const unsigned payee = (payer + 1) % accounts;

    // FIX: a thread waits only for a lock above the one it holds, so no ring of waiting threads can form.
    while (atomicCAS(&locks[min(payer, payee)], 0, 1) != 0) {}
    while (atomicCAS(&locks[max(payer, payee)], 0, 1) != 0) {}
    __threadfence();
    balance[payer] -= v[i];
    balance[payee] += v[i];
    __threadfence();
    atomicExch(&locks[payee], 0);
    atomicExch(&locks[payer], 0);
}

// Both threads pay the same amount, so the balances end as they began.
extern "C" __global__ void expected(int* balance, int* locks) {
    balance[0] += 36 - 36;
    balance[1] += 36 - 36;
}
